import type {
  ListParameter,
  Moment,
  NumberParameter,
  Parameter,
  ParsedParameters,
} from '../contract/parameters.ts';
import { ROUTES, type RouteName } from '../contract/routes.ts';
import { readMoment } from '../domain/moment.ts';
import { ServiceError } from '../domain/service-error.ts';
import { isSnapshotId } from '../domain/snapshot.ts';
import { canonicalTokenId, isTokenId } from '../domain/token-id.ts';

/** The query as API Gateway hands it over: decoded, every value of a repeated parameter in order. */
export type Query = Readonly<Record<string, readonly string[] | undefined>> | null;

/** The segments of the path that the route names. */
export type PathSegments = Readonly<Record<string, string | undefined>> | null;

export type ParametersOf<R extends RouteName> = ParsedParameters<(typeof ROUTES)[R]['parameters']>;

/**
 * Parses a route's parameters by the route table. Unknown parameters are ignored. A parameter that is sent twice,
 * under whichever of its names, or without a value is refused: which one is meant cannot be told. A list that is sent
 * in parts, as some generated clients do, is all of them.
 *
 * @throws ServiceError `missing_parameter` or `invalid_parameter` (400) that names the parameter and what it must be
 */
export function parseParameters<R extends RouteName>(
  route: R,
  query: Query,
  path: PathSegments = null,
): ParametersOf<R> {
  const table: Readonly<Record<string, Parameter>> = ROUTES[route].parameters;
  const parsed = Object.entries(table).map(([name, parameter]) => {
    const sent = parameter.in === 'path' ? segment(name, path) : values(name, parameter, query);
    const [first, second] = sent;
    if (second) throw invalid(name, 'must be given once', parameter);
    if (!first) {
      if (parameter.required) {
        throw new ServiceError('missing_parameter', `The parameter ${name} is required: ${rule(parameter)}.`);
      }
      return [name, 'default' in parameter ? parameter.default : undefined];
    }
    return [name, parse(first.key, first.value, parameter)];
  });
  return Object.fromEntries(parsed) as ParametersOf<R>;
}

/** The parameters of the query that the route knows, as they were sent. */
export function sentParameters(route: RouteName, query: Query): Readonly<Record<string, string>> {
  const table: Readonly<Record<string, Parameter>> = ROUTES[route].parameters;
  const sent = Object.entries(table).flatMap(([name, parameter]) =>
    parameter.in === 'path' ? [] : values(name, parameter, query).slice(0, 1),
  );
  return Object.fromEntries(sent.map(({ key, value }) => [key, value]));
}

interface Sent {
  readonly key: string;
  readonly value: string;
}

const NOTHING: readonly Sent[] = [];

/** Asked twice for each parameter of a route in every request, and nearly always there is nothing. */
function values(name: string, { aliases = [], kind }: Parameter, query: Query): readonly Sent[] {
  const isSent = (key: string): boolean => query?.[key] !== undefined;
  if (!isSent(name) && !aliases.some(isSent)) return NOTHING;
  const sent = [name, ...aliases].flatMap((key) => (query?.[key] ?? []).map((value) => ({ key, value })));
  const [first] = sent;
  if (kind !== 'list' || !first) return sent;
  return [{ key: first.key, value: sent.map(({ value }) => value).join(',') }];
}

function segment(name: string, path: PathSegments): Sent[] {
  const value = path?.[name];
  return value === undefined ? [] : [{ key: name, value: decoded(value) }];
}

/** API Gateway hands over a segment as the caller wrote it. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // no percent-encoding
  }
}

type Value = string | number | Moment | readonly string[];

function parse(name: string, value: string, parameter: Parameter): Value {
  const refuse = () => invalid(name, `must be ${rule(parameter)}`, parameter);
  switch (parameter.kind) {
    case 'integer': {
      if (!/^\d+$/.test(value)) throw refuse();
      const number = Math.min(Number(value), Number.MAX_SAFE_INTEGER);
      if (number < parameter.minimum) throw refuse();
      return Math.min(number, parameter.ceiling ?? number);
    }
    case 'text': {
      const length = [...value].length;
      if (length < parameter.minLength || length > parameter.maxLength) throw refuse();
      if (parameter.pattern !== undefined && !new RegExp(parameter.pattern, 'u').test(value)) throw refuse();
      return value;
    }
    case 'choice':
      if (!parameter.values.includes(value)) throw refuse();
      return value;
    case 'token-id':
      if (!isTokenId(value)) throw refuse();
      return canonicalTokenId(value);
    case 'snapshot-id':
      if (!isSnapshotId(value)) throw refuse();
      return value;
    case 'number': {
      const number = NUMBER.test(value) ? Number(value) : Number.NaN;
      if (!(number >= parameter.minimum && number <= greatest(parameter))) throw refuse();
      return number;
    }
    case 'moment': {
      const moment = readMoment(value);
      if (!moment) throw refuse();
      return moment;
    }
    case 'list': {
      const entries = value.split(',');
      if (entries.length > parameter.mostEntries || !entries.every((entry) => isEntry(entry, parameter)))
        throw refuse();
      return entries;
    }
  }
}

/** As JSON writes numbers. */
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function greatest({ maximum }: NumberParameter): number {
  return maximum ?? Number.MAX_VALUE;
}

function isEntry(entry: string, { values, entryLength, tokens }: ListParameter): boolean {
  if (tokens) return isTokenId(entry);
  const length = [...entry].length;
  return length > 0 && length <= entryLength && (values?.includes(entry) ?? true);
}

/** What a value must be, as the end of a sentence. */
function rule(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'integer':
      return `a decimal integer of at least ${parameter.minimum}`;
    case 'text':
      return [
        `${parameter.minLength} to ${parameter.maxLength} characters long`,
        ...(parameter.patternRule === undefined ? [] : [parameter.patternRule]),
      ].join(', ');
    case 'choice':
      return `one of ${parameter.values.join(', ')}`;
    case 'token-id':
      return 'an outcome token: a decimal number of at most 78 digits that fits in 256 bits';
    case 'snapshot-id':
      return 'a snapshot id as found in a Link header';
    case 'number':
      return parameter.maximum === undefined
        ? `a decimal number of at least ${parameter.minimum}`
        : `a decimal number from ${parameter.minimum} to ${parameter.maximum}`;
    case 'moment':
      return 'a date (YYYY-MM-DD), an RFC 3339 time, or hours or days from the time of the data on (+24h, +7d)';
    case 'list':
      return `1 to ${parameter.mostEntries} ${parameter.tokens ? 'outcome tokens' : 'entries'} with commas between${
        parameter.values ? `, each one of ${parameter.values.join(', ')}` : ''
      }`;
  }
}

function invalid(name: string, must: string, parameter: Parameter): ServiceError {
  return new ServiceError(
    'invalid_parameter',
    `The parameter ${name} ${must}, for example ${parameter.example}.`,
  );
}
