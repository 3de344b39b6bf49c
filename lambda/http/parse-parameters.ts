/**
 * Reads the parameters of a request as the route table describes them: checks each value, converts
 * it to its type, and sets defaults.
 */
import type {
  ListParameter,
  Moment,
  Parameter,
  ParsedParameters,
  TextParameter,
} from '../core/contract/parameters.ts';
import { MAX_TOKEN_DIGITS, SEARCHABLE, SEARCHABLE_RULE } from '../core/contract/patterns.ts';
import { ROUTES, type RouteName } from '../core/contract/route-table.ts';
import { canonicalTokenId, isSnapshotId, isTokenId } from '../core/domain/ids.ts';
import { readInstant, readMoment } from '../core/domain/moment.ts';
import { ServiceError } from '../core/domain/service-error.ts';
import { toUnixSeconds, type UnixSeconds } from '../core/domain/time.ts';
import { rejectWrongNames } from './parameter-names.ts';

/** The query as API Gateway passes it: decoded, with repeated values in their order. */
export type Query = Readonly<Record<string, readonly string[] | undefined>> | null;

/** The parts of the path that have names in the route's path. */
export type PathSegments = Readonly<Record<string, string | undefined>> | null;

/** The values of a route's parameters, such as `{ limit: number; sort: 'volume' | … }`. */
export type ParametersOf<R extends RouteName> = ParsedParameters<(typeof ROUTES)[R]['parameters']>;

type ParameterTable = Readonly<Record<string, Parameter>>;

/**
 * The values of a request's parameters, in the types of the contract. Rejects a parameter that is
 * sent twice, even by an alias. Joins the parts of a list, which some generated clients send
 * separately.
 *
 * @throws ServiceError `unknown_parameter`, `missing_parameter` or `invalid_parameter` (400) with
 * the name and the rule
 */
export function parseParameters<R extends RouteName>(
  route: R,
  query: Query,
  path: PathSegments = null,
): ParametersOf<R> {
  rejectWrongNames(ROUTES[route], Object.keys(query ?? {}));
  const table: ParameterTable = ROUTES[route].parameters;
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    const [sent, repeated] = sentValues(name, parameter, query, path);
    if (repeated) throw invalid(name, 'must be sent only once', parameter);
    values[name] = sent ? requireValid(name, parameter, sent) : defaultOf(name, parameter);
  }
  return values as ParametersOf<R>;
}

/** @throws ServiceError `invalid_parameter` (400) */
function requireValid(name: string, parameter: Parameter, sent: Sent): Value {
  const value = parsedValue(sent.value, parameter);
  if (value === undefined) throw invalid(name, `must be ${ruleOf(parameter)}`, parameter);
  return value;
}

/** The value of a parameter that was not sent. @throws ServiceError `missing_parameter` (400) */
function defaultOf(name: string, parameter: Parameter): unknown {
  if (!parameter.required) return 'default' in parameter ? parameter.default : undefined;
  const sentence = `The parameter ${name} is required: ${ruleOf(parameter)}.`;
  throw new ServiceError('missing_parameter', sentence);
}

/** The route's parameters in the query, as the caller sent them. Links repeat them. */
export function sentParameters(route: RouteName, query: Query): Readonly<Record<string, string>> {
  const table: ParameterTable = ROUTES[route].parameters;
  const sent = Object.entries(table).flatMap(([name, parameter]) =>
    sentValues(name, parameter, query, null),
  );
  return Object.fromEntries(sent.map(({ key, value }) => [key, value]));
}

/** A value of a parameter as a request has it. */
interface Sent {
  /** The name in the request, which can be an alias. */
  readonly key: string;
  readonly value: string;
}

/**
 * The values that a request has for a parameter: several if it was sent more than once. The parts of
 * a list are one value.
 */
function sentValues(
  name: string,
  parameter: Parameter,
  query: Query,
  path: PathSegments,
): readonly Sent[] {
  if (parameter.in === 'path') {
    const segment = path?.[name];
    return segment === undefined ? [] : [{ key: name, value: decoded(segment) }];
  }
  const keys = [name, ...(parameter.aliases ?? [])];
  const sent = keys.flatMap((key) => (query?.[key] ?? []).map((value) => ({ key, value })));
  const [first] = sent;
  if (parameter.kind !== 'list' || !first) return sent;
  return [{ key: first.key, value: sent.map(({ value }) => value).join(',') }];
}

/** Decodes a segment of the path, because API Gateway does not. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // not percent-encoded
  }
}

type Value = string | number | Moment | readonly string[];

const DIGITS = /^\d+$/;
const JSON_NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** The value in the parameter's type; undefined if it breaks the parameter's rule. */
function parsedValue(text: string, parameter: Parameter): Value | undefined {
  switch (parameter.kind) {
    case 'integer': {
      const { minimum, ceiling = Number.MAX_SAFE_INTEGER } = parameter;
      const isValid = DIGITS.test(text) && Number(text) >= minimum;
      return isValid ? Math.min(Number(text), ceiling) : undefined;
    }
    case 'number': {
      // The default excludes infinity, as in 1e999.
      const { minimum, maximum = Number.MAX_VALUE } = parameter;
      if (!JSON_NUMBER.test(text)) return undefined;
      const number = Number(text);
      return number >= minimum && number <= maximum ? number : undefined;
    }
    case 'text':
      return isText(text, parameter) ? text : undefined;
    case 'choice':
      return parameter.values.includes(text) ? text : undefined;
    case 'token-id':
      return isTokenId(text) ? canonicalTokenId(text) : undefined;
    case 'snapshot-id':
      return isSnapshotId(text) ? text : undefined;
    case 'moment':
      return readMoment(text);
    case 'timestamp':
      return readTimestamp(text);
    case 'list': {
      const entries = text.split(',');
      const isValid =
        entries.length <= parameter.maxEntries &&
        entries.every((entry) => isEntry(entry, parameter));
      return isValid ? entries : undefined;
    }
  }
}

function isText(text: string, parameter: TextParameter): boolean {
  const { minLength, maxLength, searchable, pattern } = parameter;
  const length = [...text].length;
  if (length < minLength || length > maxLength) return false;
  if (searchable && !SEARCHABLE.test(text)) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

/** Unix seconds, or a time from 1970 on. */
function readTimestamp(text: string): UnixSeconds | undefined {
  if (DIGITS.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const time = readInstant(text);
  return time === undefined || time < 0 ? undefined : toUnixSeconds(time);
}

function isEntry(entry: string, { values, entryLength, tokens }: ListParameter): boolean {
  if (tokens) return isTokenId(entry);
  if (values && !values.includes(entry)) return false;
  const length = [...entry].length;
  return length > 0 && length <= entryLength;
}

/** For the error: callers often send a slug or a condition id in place of a token. */
const WHERE_TOKENS_ARE =
  ' (clobTokenId of the market at /api/markets/{slug or condition id}, or from the tool get_market)';

/** What the value must be, as the end of the error's sentence. */
function ruleOf(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'integer':
    case 'number': {
      const { kind, minimum, maximum } = parameter;
      const range =
        maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
      return `a decimal ${kind} ${range}`;
    }
    case 'text': {
      const length = `${parameter.minLength} to ${parameter.maxLength} characters long`;
      const rule = parameter.searchable ? SEARCHABLE_RULE : parameter.patternRule;
      return rule === undefined ? length : `${length}, ${rule}`;
    }
    case 'choice':
      return `one of ${parameter.values.join(', ')}`;
    case 'token-id':
      return `an outcome token${WHERE_TOKENS_ARE}: a decimal number of at most ${MAX_TOKEN_DIGITS} digits that fits in 256 bits`;
    case 'snapshot-id':
      return 'a snapshot id from the header X-Snapshot-Id or a Link';
    case 'moment':
      return 'a date (YYYY-MM-DD), an RFC 3339 time, or hours or days after the time of the data (+24h, +7d)';
    case 'timestamp':
      return 'Unix seconds, a date (YYYY-MM-DD) or an RFC 3339 time, from 1970 on';
    case 'list': {
      const noun = parameter.tokens ? `outcome tokens${WHERE_TOKENS_ARE}` : 'entries';
      const values = parameter.values ? `, each one of ${parameter.values.join(', ')}` : '';
      return `1 to ${parameter.maxEntries} ${noun}, separated by commas${values}`;
    }
  }
}

/** @param rule the predicate of the error's sentence, such as "must be sent only once" */
function invalid(name: string, rule: string, { example }: Parameter): ServiceError {
  const sentence = `The parameter ${name} ${rule}, for example ${example}.`;
  return new ServiceError('invalid_parameter', sentence);
}
