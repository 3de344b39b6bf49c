/**
 * Turns the filters of a request into conditions, for lists of markets and of events. The request
 * `?minVolume=1000&event=rain` has two filters, one of each form:
 * - A filter with a `bound` compares a value: `minVolume` keeps markets with at least this volume.
 * - A filter without one has its own predicate: `event` keeps the markets of this event.
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
/** The values that a request sends, by the name of their parameter. */
type Values = Readonly<Record<string, unknown>>;
/** The bounds that these filters have, such as `{ field: 'volume', is: 'atLeast' }`. */
type BoundOf<F extends Filters> = Extract<F[keyof F], { readonly bound: Bound }>['bound'];

/**
 * How a list of markets or events (`T`) is filtered. For the two filters above, the rules are
 *
 * ```
 * filters: { minVolume: { …, bound: { field: 'volume', is: 'atLeast' } }, event: { … } },
 * readerOf: ({ field }) => (market) => market[field],
 * predicates: { event: (slug) => (market) => market.eventSlug === slug },
 * ```
 */
export interface FilterRules<F extends Filters, T> {
  readonly filters: F;
  /** Makes the function that reads what a bound compares; undefined if an entry has no value. */
  readonly readerOf: (bound: BoundOf<F>) => (entry: T) => number | undefined;
  /**
   * Makes the condition of each filter without a bound, from the value that the request sends. A
   * filter that has neither is a type error.
   */
  readonly predicates: {
    readonly [N in keyof F as F[N] extends { readonly bound: Bound } ? never : N]: (
      value: ValueOf<F[N]>,
    ) => Predicate<T>;
  };
}

/** A bound that a request sends, with the value to compare: 1,000 for `minVolume=1000`. */
interface SentBound extends Bound {
  readonly parameter: string;
  /** Times are in Unix milliseconds. */
  readonly limit: number;
}

/** The bounds that a request sends, in the order of the filters. */
function sentBounds(filters: Filters, values: Values, asOf: UnixMs): readonly SentBound[] {
  const bounds: SentBound[] = [];
  for (const [parameter, { bound }] of Object.entries(filters)) {
    const value = values[parameter];
    if (!bound || value === undefined) continue;
    const limit = typeof value === 'number' ? value : timeOf(value as Moment, asOf);
    bounds.push({ ...bound, parameter, limit });
  }
  return bounds;
}

/**
 * The conditions of a request, one for each filter that it sends.
 *
 * @param asOf the time of the data, from which a filter such as `endsBefore=+7d` counts
 */
export function predicatesOf<F extends Filters, T>(
  { filters, readerOf, predicates }: FilterRules<F, T>,
  query: ParsedParameters<F>,
  asOf: UnixMs,
): readonly Predicate<T>[] {
  const conditions: Predicate<T>[] = [];
  const values: Values = query;
  // Each filter has its own types of value and bound. The compiler cannot follow them in a loop.
  const makers = Object.entries<(value: never) => Predicate<T>>(predicates);
  for (const [name, makePredicate] of makers)
    if (values[name] !== undefined) conditions.push(makePredicate(values[name] as never));
  for (const bound of sentBounds(filters, values, asOf))
    conditions.push(boundPredicate(bound, readerOf(bound as unknown as BoundOf<F>)));
  return conditions;
}

const COMPARISONS: Readonly<Record<Bound['is'], (value: number, limit: number) => boolean>> = {
  atLeast: (value, limit) => value >= limit,
  atMost: (value, limit) => value <= limit,
  below: (value, limit) => value < limit,
};

/** Makes the condition that an entry's value keeps a limit. An unknown value never does. */
function boundPredicate<T>(
  { is, limit }: SentBound,
  read: (entry: T) => number | undefined,
): Predicate<T> {
  const isWithin = COMPARISONS[is];
  return (entry) => {
    const value = read(entry);
    return value !== undefined && isWithin(value, limit);
  };
}

/** Makes the condition that an entry has any of the tags. Case does not matter. */
export function tagPredicate<T>(
  slugs: readonly string[],
  tagsOf: (entry: T) => readonly string[],
): Predicate<T> {
  const wanted = new Set(slugs.map((slug) => slug.toLowerCase()));
  return (entry) => tagsOf(entry).some((slug) => wanted.has(slug.toLowerCase()));
}

/**
 * Checks each value that a request bounds from both sides: `minProbability` and `maxProbability`,
 * or `endsAfter` and `endsBefore`.
 *
 * @param asOf the time of the data, as above
 * @throws ServiceError `invalid_parameter` (400) if no value lies between the two bounds
 */
export function checkRanges(filters: Filters, values: Values, asOf: UnixMs): void {
  const bounds = sentBounds(filters, values, asOf);
  for (const lower of bounds) {
    for (const upper of bounds) {
      if (!isRange(lower, upper)) continue;
      const hasValues = COMPARISONS[upper.is](lower.limit, upper.limit);
      if (hasValues) continue;
      // Only times have a bound that is `below`.
      const mustBe = upper.is === 'below' ? 'must be earlier than' : 'must be at most';
      throw new ServiceError(
        'invalid_parameter',
        `The parameter ${lower.parameter} ${mustBe} ${upper.parameter}: no value lies between them.`,
      );
    }
  }
}

/** Whether two bounds limit the same value, one from below and the other from above. */
function isRange(lower: SentBound, upper: SentBound): boolean {
  return (
    lower.is === 'atLeast' &&
    upper.is !== 'atLeast' &&
    lower.field === upper.field &&
    lower.absolute === upper.absolute
  );
}
