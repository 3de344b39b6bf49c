/** What a parameter may be. The rules of each kind live in `http/parameters.ts`. */
export type Parameter =
  | IntegerParameter
  | TextParameter
  | ChoiceParameter
  | TokenIdParameter
  | SnapshotIdParameter
  | NumberParameter
  | MomentParameter
  | ListParameter;

interface ParameterBase {
  /** Where it stands. @default 'query' */
  readonly in?: 'path' | 'query';
  /** Other names it may be sent under. */
  readonly aliases?: readonly string[];
  readonly required?: true;
  readonly description: string;
  readonly example: string;
}

/** A decimal integer, digits only. */
export interface IntegerParameter extends ParameterBase {
  readonly kind: 'integer';
  readonly minimum: number;
  /** A larger value is lowered to this one rather than refused. */
  readonly ceiling?: number;
  readonly default?: number;
}

/** Free text; lengths in characters (Unicode code points), after percent-decoding. */
export interface TextParameter extends ParameterBase {
  readonly kind: 'text';
  readonly minLength: number;
  readonly maxLength: number;
  /** What it must hold besides, and how that is said. */
  readonly pattern?: string;
  readonly patternRule?: string;
}

export interface ChoiceParameter extends ParameterBase {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** Identifiers for the values, in their order, where a value is none. */
  readonly names?: readonly string[];
  readonly default?: string;
}

/** An outcome token: at most 78 decimal digits that fit in 256 bits (design 2). */
export interface TokenIdParameter extends ParameterBase {
  readonly kind: 'token-id';
}

export interface SnapshotIdParameter extends ParameterBase {
  readonly kind: 'snapshot-id';
}

/** A decimal number, written as in JSON. */
export interface NumberParameter extends ParameterBase {
  readonly kind: 'number';
  readonly minimum: number;
  readonly maximum?: number;
}

/** A date, a time or a moment counted from the data's own time, read by domain/moment.ts. */
export interface MomentParameter extends ParameterBase {
  readonly kind: 'moment';
}

/** A point in time as a caller writes it: absolute, or so many milliseconds after the data's own time. */
export type Moment =
  | { readonly kind: 'at'; readonly time: number }
  | { readonly kind: 'after'; readonly milliseconds: number };

/** Entries with commas between. */
export interface ListParameter extends ParameterBase {
  readonly kind: 'list';
  readonly mostEntries: number;
  /** Longest entry in characters. */
  readonly entryLength: number;
  /** All that an entry may be; anything where left out. */
  readonly values?: readonly string[];
  /** Whether each entry is an outcome token. */
  readonly tokens?: true;
}

type ValueOf<P> = P extends { kind: 'integer' | 'number' }
  ? number
  : P extends { kind: 'choice'; values: readonly (infer V)[] }
    ? V
    : P extends { kind: 'moment' }
      ? Moment
      : P extends { kind: 'list' }
        ? readonly string[]
        : string;

type AlwaysThere = { required: true } | { default: unknown };

type RequiredNames<T> = { [K in keyof T]: T[K] extends AlwaysThere ? K : never }[keyof T];

/** The parsed parameters of a route: optional ones without a default may be undefined. */
export type ParsedParameters<T extends Readonly<Record<string, Parameter>>> = {
  readonly [K in RequiredNames<T>]: ValueOf<T[K]>;
} & {
  readonly [K in Exclude<keyof T, RequiredNames<T>>]?: ValueOf<T[K]> | undefined;
};
