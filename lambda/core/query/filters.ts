/**
 * Turns the filters of a query into conditions, for markets and for events. A filter has one of two
 * forms:
 * - With a `bound`, it compares a value: `minVolume` keeps markets with at least this volume.
 * - Without one, it has its own predicate: `tags` keeps markets with any of these tags.
 */
import type {
  Bound,
  Moment,
  Parameter,
  ParsedParameters,
  ValueOf,
} from '../contract/parameters.ts';
import { timeOf } from '../domain/moment.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { UnixMs } from '../domain/time.ts';

/** Whether a market or an event fulfils a filter. */
type Predicate<T> = (entry: T) => boolean;

/** Filters by the name of their parameter. */
type Filters = Readonly<Record<string, Parameter>>;
/** The bounds that these filters have. */
type BoundOf<F extends Filters> = Extract<F[keyof F], { readonly bound: Bound }>['bound'];

/** How a list of markets or events is filtered. */
export interface FilterRules<F extends Filters, T> {
  readonly filters: F;
  /** Reads the value that a bound compares; undefined if an entry has none. */
  readonly readerOf: (bound: BoundOf<F>) => (entry: T) => number | undefined;
  /** Makes the condition of each filter without a bound. A missing one is a type error. */
  readonly predicates: {
    readonly [N in keyof F as F[N] extends { readonly bound: Bound } ? never : N]: (
      value: ValueOf<F[N]>,
    ) => Predicate<T>;
  };
}

const COMPARISONS: Readonly<Record<Bound['is'], (value: number, limit: number) => boolean>> = {
  atLeast: (value, limit) => value >= limit,
  atMost: (value, limit) => value <= limit,
  below: (value, limit) => value < limit,
};

/** The number that a bound compares with: that of the query, or a moment in Unix milliseconds. */
function limitOf(value: unknown, asOf: UnixMs): number {
  return typeof value === 'number' ? value : timeOf(value as Moment, asOf);
}

/**
 * The conditions of a query, one for each filter that is set.
 *
 * @param asOf start of relative moments
 */
export function predicatesOf<F extends Filters, T>(
  { filters, readerOf, predicates }: FilterRules<F, T>,
  query: ParsedParameters<F>,
  asOf: UnixMs,
): readonly Predicate<T>[] {
  return Object.entries(filters).flatMap(([name, { bound }]) => {
    const value: unknown = query[name as keyof typeof query];
    if (value === undefined) return [];
    // The name of a filter decides the type of its value. The compiler cannot see that in a loop.
    if (!bound) return predicates[name as keyof typeof predicates](value as never);
    return boundPredicate(bound.is, limitOf(value, asOf), readerOf(bound as BoundOf<F>));
  });
}

/** Makes the condition that a value keeps a limit. An unknown value never does. */
function boundPredicate<T>(
  is: Bound['is'],
  limit: number,
  read: (entry: T) => number | undefined,
): Predicate<T> {
  const isWithin = COMPARISONS[is];
  return (entry) => {
    const value = read(entry);
    return value !== undefined && isWithin(value, limit);
  };
}

/** Makes the condition that an entry has any of the tags, in upper or lower case. */
export function tagPredicate<T>(tagsOf: (entry: T) => readonly string[]) {
  return (slugs: readonly string[]): Predicate<T> => {
    const wanted = new Set(slugs.map((slug) => slug.toLowerCase()));
    return (entry) => tagsOf(entry).some((slug) => wanted.has(slug.toLowerCase()));
  };
}

/** A bound that a query sets. */
interface SentBound extends Bound {
  readonly parameter: string;
  /** Times are in Unix milliseconds. */
  readonly limit: number;
}

/** The bounds that a query sets, in the order of the filters. */
function sentBounds<F extends Filters>(
  filters: F,
  query: Partial<ParsedParameters<F>>,
  asOf: UnixMs,
): readonly SentBound[] {
  return Object.entries(filters).flatMap(([parameter, { bound }]) => {
    const value: unknown = query[parameter as keyof typeof query];
    if (!bound || value === undefined) return [];
    return [{ ...bound, parameter, limit: limitOf(value, asOf) }];
  });
}

/** How the error of a wrong range names the comparison. Only times have a bound that is `below`. */
const MUST_BE = { atMost: 'at most', below: 'earlier than' } as const;

/** A bound that limits a value from above. */
interface UpperBound extends SentBound {
  readonly is: keyof typeof MUST_BE;
}

/** Whether two bounds of a query limit the same value, one from below and the other from above. */
function isRange(lower: SentBound, upper: SentBound): upper is UpperBound {
  return (
    lower.is === 'atLeast' &&
    upper.is !== 'atLeast' &&
    lower.field === upper.field &&
    lower.absolute === upper.absolute
  );
}

/**
 * Checks each value that the query bounds from both sides, such as `minVolume` and `maxVolume`.
 *
 * @throws ServiceError `invalid_parameter` (400) if no value lies between the two bounds
 */
export function checkRanges<F extends Filters>(
  filters: F,
  query: Partial<ParsedParameters<F>>,
  asOf: UnixMs,
): void {
  const bounds = sentBounds(filters, query, asOf);
  for (const lower of bounds) {
    for (const upper of bounds) {
      if (!isRange(lower, upper)) continue;
      const hasValues = COMPARISONS[upper.is](lower.limit, upper.limit);
      if (hasValues) continue;
      const rule = `${lower.parameter} must be ${MUST_BE[upper.is]} ${upper.parameter}`;
      const reason = 'no value lies between them';
      throw new ServiceError('invalid_parameter', `The parameter ${rule}: ${reason}.`);
    }
  }
}
