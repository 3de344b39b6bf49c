/**
 * The parameters of endpoints, such as `limit` (an integer) and `ids` (a list): the types that
 * describe one in the route table, the type of its parsed value, and its JSON Schema.
 */
import type { Json } from './json-schema.ts';
import type { ComparableField } from './market-fields.ts';
import { RELATIVE_MOMENT_PATTERN, SNAPSHOT_ID_PATTERN } from './patterns.ts';

/**
 * A parameter of an endpoint. Its `kind` decides how `http/parse-parameters.ts` parses it.
 *
 * @example { kind: 'integer', minimum: 1, default: 20, description: 'Most entries.', example: '5' }
 */
export type Parameter =
  | TextParameter
  | ChoiceParameter
  | NumberParameter
  | PlainParameter
  | ListParameter;

/** The fields that parameters of every kind have. */
interface ParameterBase {
  /** @default 'query' */
  readonly in?: 'path' | 'query';
  /** Other accepted names. */
  readonly aliases?: readonly string[];
  readonly required?: true;
  readonly description: string;
  /**
   * The text that tools for agents show instead of the description. Without it they show neither,
   * because name and schema are enough.
   */
  readonly summary?: string;
  readonly example: string;
  /**
   * The API document omits this example. Some tools send the examples of all parameters in one
   * request, which would fail with this one, such as a `startTs` beside `interval`.
   */
  readonly exampleFails?: true;
  /** Only for a filter that limits a field. Markets and events without a value never match. */
  readonly bound?: Bound;
}

/** What a sort or a filter compares. */
export interface Compared {
  readonly field: ComparableField;
  /** The absolute value is compared. */
  readonly absolute?: true;
}

/**
 * A filter's comparison of a field with the value of the parameter: that of `minVolume` is
 * `{ field: 'volume', is: 'atLeast' }`.
 */
export interface Bound extends Compared {
  readonly is: 'atLeast' | 'atMost' | 'below';
}

interface NumberParameter extends ParameterBase {
  readonly kind: 'integer' | 'number';
  readonly minimum: number;
  readonly maximum?: number;
  /** A larger integer is lowered to this, where `maximum` would reject it. */
  readonly ceiling?: number;
  readonly default?: number;
}

/** Lengths are in Unicode code points, after percent-decoding. */
export interface TextParameter extends ParameterBase {
  readonly kind: 'text';
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern?: string;
  /** The pattern in words, for the error. */
  readonly patternRule?: string;
  /** Requires a letter or digit. */
  readonly searchable?: true;
}

interface ChoiceParameter extends ParameterBase {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** Identifiers for generated clients, such as `OneHour` if the first value is `1h`. */
  readonly names?: readonly string[];
  readonly default?: string;
}

/**
 * `token-id`: an outcome token, an unsigned 256-bit decimal. `moment`: a date, a time, or a time
 * relative to the data's, as `domain/moment.ts` reads it. `timestamp`: Unix seconds, a date or a
 * time.
 */
interface PlainParameter extends ParameterBase {
  readonly kind: 'token-id' | 'snapshot-id' | 'moment' | 'timestamp';
}

/** A parsed time: absolute in Unix ms, or relative to the data's time. */
export type Moment =
  | { readonly kind: 'at'; readonly time: number }
  | { readonly kind: 'after'; readonly milliseconds: number };

/** Entries separated by commas. */
export interface ListParameter extends ParameterBase {
  readonly kind: 'list';
  readonly maxEntries: number;
  /** The longest entry, in characters. */
  readonly entryLength: number;
  /** The allowed entries. Without them, an entry is any text. */
  readonly values?: readonly string[];
  /** Each entry is an outcome token. */
  readonly tokens?: true;
}

/** The types of parsed values by kind. A choice has its own values. */
interface ValuesByKind {
  integer: number;
  number: number;
  /** Unix seconds. */
  timestamp: number;
  moment: Moment;
  list: readonly string[];
  text: string;
  'token-id': string;
  'snapshot-id': string;
}

/**
 * The type of a parsed parameter: `number` for an integer, `'asc' | 'desc'` for a choice of these.
 */
export type ValueOf<P> = P extends { kind: 'choice'; values: readonly (infer V)[] }
  ? V
  : P extends { kind: infer K extends keyof ValuesByKind }
    ? ValuesByKind[K]
    : never;

/** A parameter that always has a value: the caller's or the default. */
type WithValue = { required: true } | { default: unknown };

/** The names of such parameters: `'q' | 'limit'` in the example below. */
type NamesWithValue<T> = { [K in keyof T]: T[K] extends WithValue ? K : never }[keyof T];

/**
 * The parsed parameters of an endpoint. Those of a required text `q`, an integer `limit` with a
 * default and an optional choice `order` are
 * `{ q: string; limit: number; order?: 'asc' | 'desc' | undefined }`.
 */
export type ParsedParameters<T extends Readonly<Record<string, Parameter>>> = {
  readonly [K in NamesWithValue<T>]: ValueOf<T[K]>;
} & {
  readonly [K in Exclude<keyof T, NamesWithValue<T>>]?: ValueOf<T[K]> | undefined;
};

/** RFC 3339, or `YYYY-MM-DD`. */
const INSTANT = ['date-time', 'date'].map((format) => ({ type: 'string', format }));
const TOKEN_ID = { $ref: '#/components/schemas/TokenId' } as const;

/** The JSON Schema of a parameter. Keys without a value are undefined; JSON leaves them out. */
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
      return { type: 'string', enum: values, 'x-enum-varnames': names, default: defaultValue };
    }
    case 'token-id':
      return TOKEN_ID;
    case 'snapshot-id':
      return { type: 'string', pattern: SNAPSHOT_ID_PATTERN };
    case 'moment':
      return { anyOf: [...INSTANT, { type: 'string', pattern: RELATIVE_MOMENT_PATTERN }] };
    case 'timestamp':
      return { anyOf: [{ type: 'integer', minimum: 0 }, ...INSTANT] };
    case 'list':
      return {
        type: 'array',
        minItems: 1,
        maxItems: parameter.maxEntries,
        items: entrySchema(parameter),
      };
  }
}

/** The schema of one entry of a list. */
function entrySchema({ tokens, values, entryLength }: ListParameter): Json {
  if (tokens) return TOKEN_ID;
  if (values) return { type: 'string', enum: values };
  return { type: 'string', minLength: 1, maxLength: entryLength, pattern: '^[^,]+$' };
}
