/** What a query parameter may be. The rules of each kind live in `http/parameters.ts`. */
export type Parameter =
  | IntegerParameter
  | TextParameter
  | ChoiceParameter
  | TokenIdParameter
  | SnapshotIdParameter;

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
  /** What it must hold besides; the endpoint checks it. */
  readonly pattern?: string;
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

type ValueOf<P> = P extends { kind: 'integer' }
  ? number
  : P extends { kind: 'choice'; values: readonly (infer V)[] }
    ? V
    : string;

type AlwaysThere = { required: true } | { default: unknown };

/** The parsed parameters of a route: optional ones without a default may be undefined. */
export type ParsedParameters<T extends Readonly<Record<string, Parameter>>> = {
  readonly [K in keyof T]: T[K] extends AlwaysThere ? ValueOf<T[K]> : ValueOf<T[K]> | undefined;
};
