import type { Json } from './json-schema.ts';
import type { ComparableField } from './market-fields.ts';
import { RELATIVE_MOMENT_PATTERN, SNAPSHOT_ID_PATTERN } from './patterns.ts';

/** The kinds of parameters. `http/parse-parameters.ts` parses each kind. */
export type Parameter = TextParameter | ChoiceParameter | NumberParameter | PlainParameter | ListParameter;

interface ParameterBase {
  /** @default 'query' */
  readonly in?: 'path' | 'query';
  /** Other accepted names. */
  readonly aliases?: readonly string[];
  readonly required?: true;
  readonly description: string;
  /** What the tools for agents say in place of the description. Absent: the name and the schema are enough. */
  readonly summary?: string;
  readonly example: string;
  /** Whether a request with the examples of all parameters fails because of this one. Some tools send such requests. */
  readonly exampleFails?: true;
  /** The field that the parameter bounds. An entry without a value is outside of every bound. */
  readonly bound?: Bound;
}

/** What a sort or a filter compares. */
export interface Compared {
  readonly field: ComparableField;
  /** Whether it compares the absolute value. */
  readonly absolute?: true;
}

export interface Bound extends Compared {
  readonly is: 'atLeast' | 'atMost' | 'below';
}

/** An integer has digits only. Another number is written as in JSON. */
interface NumberParameter extends ParameterBase {
  readonly kind: 'integer' | 'number';
  readonly minimum: number;
  readonly maximum?: number;
  /** The parser lowers a larger integer to this one instead of rejecting it. */
  readonly ceiling?: number;
  readonly default?: number;
}

/** Free text; lengths in characters (Unicode code points), after percent-decoding. */
interface TextParameter extends ParameterBase {
  readonly kind: 'text';
  readonly minLength: number;
  readonly maxLength: number;
  /** Regular expression that the text must match, and the rule in words for the error. */
  readonly pattern?: string;
  readonly patternRule?: string;
  /** Whether the text must hold a letter or a digit. */
  readonly searchable?: true;
}

interface ChoiceParameter extends ParameterBase {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** Identifiers of the values for generated clients, if a value is not an identifier itself. */
  readonly names?: readonly string[];
  readonly default?: string;
}

/**
 * `token-id`: an outcome token, a decimal number that fits in 256 bits. `moment`: a date, a time, or a time relative to
 * that of the data, as `domain/moment.ts` parses it.
 */
interface PlainParameter extends ParameterBase {
  readonly kind: 'token-id' | 'snapshot-id' | 'moment';
}

/** A parsed time: absolute in milliseconds since 1970, or relative to the time of the data. */
export type Moment =
  | { readonly kind: 'at'; readonly time: number }
  | { readonly kind: 'after'; readonly milliseconds: number };

/** Entries separated by commas. */
export interface ListParameter extends ParameterBase {
  readonly kind: 'list';
  readonly maxEntries: number;
  /** Longest entry in characters. */
  readonly entryLength: number;
  /** The allowed entries. Absent: any text. */
  readonly values?: readonly string[];
  /** Whether each entry is an outcome token. */
  readonly tokens?: true;
}

/** The value that a parameter is parsed to. */
export type ValueOf<P> = P extends { kind: 'integer' | 'number' }
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

const TOKEN_ID = { $ref: '#/components/schemas/TokenId' } as const;

/** The JSON Schema of a parameter, which refers to the schemas of the document. Keys without a value are undefined. */
export function parameterSchema(parameter: Parameter): Json {
  switch (parameter.kind) {
    case 'integer':
    case 'number': {
      const { kind, minimum, maximum, default: defaultValue } = parameter;
      return { type: kind, minimum, maximum, default: defaultValue };
    }
    case 'text': {
      const { minLength, maxLength, pattern } = parameter;
      return { type: 'string', minLength, maxLength, pattern };
    }
    case 'choice': {
      const { values, names, default: defaultValue } = parameter;
      // Generated clients use these names for values that are not identifiers.
      return { type: 'string', enum: values, 'x-enum-varnames': names, default: defaultValue };
    }
    case 'token-id':
      return TOKEN_ID;
    case 'snapshot-id':
      return { type: 'string', pattern: SNAPSHOT_ID_PATTERN };
    case 'moment': {
      const absolute = ['date-time', 'date'].map((format) => ({ type: 'string', format }));
      return { anyOf: [...absolute, { type: 'string', pattern: RELATIVE_MOMENT_PATTERN }] };
    }
    case 'list':
      return { type: 'array', minItems: 1, maxItems: parameter.maxEntries, items: entrySchema(parameter) };
  }
}

function entrySchema({ tokens, values, entryLength }: ListParameter): Json {
  if (tokens) return TOKEN_ID;
  if (values) return { type: 'string', enum: values };
  return { type: 'string', minLength: 1, maxLength: entryLength, pattern: '^[^,]+$' };
}
