/** Filters and sorts the markets of a list or a search. `selectEvents` uses the same filters. */
import type {
  Bound,
  Compared,
  Moment,
  Parameter,
  ParsedParameters,
  ValueOf,
} from '../contract/parameters.ts';
import {
  FILTERS,
  type SEARCH_SORT,
  SORTS,
  type SortRow,
} from '../contract/route-table/market-parameters.ts';
import type { Market } from '../domain/market.ts';
import { timeOf } from '../domain/moment.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { UnixMs } from '../domain/time.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

/**
 * The filters and the order of a request. Without `sort`, the order is that of `ids`, the search or
 * the list. Without `order`, it is the default direction of the sort. `relevance` is the order of
 * the search.
 */
export type MarketQuery = ParsedParameters<typeof FILTERS & typeof SEARCH_SORT>;
type SortName = NonNullable<MarketQuery['sort']>;

type Markets = Pick<MarketSnapshot, 'length' | 'market' | 'markets' | 'positionOf'>;

/**
 * The positions of the markets that fulfil a query, in its order. In both directions, ties are in
 * list order (volume, then id), and markets without the value, or with a doubtful one, come last.
 *
 * @param asOf start of relative moments
 * @param foundPositions by relevance, for a search
 */
export function select(
  snapshot: Markets,
  query: MarketQuery,
  asOf: UnixMs,
  foundPositions?: readonly number[],
): readonly number[] {
  const predicates = predicatesOf(rulesOf(snapshot), query, asOf);
  const positions = candidatesOf(snapshot, query.ids, foundPositions).filter((position) =>
    predicates.every((predicate) => predicate(snapshot.market(position))),
  );
  const { order } = query;
  const sort = query.sort ?? impliedSort(query, foundPositions !== undefined);
  if (sort === undefined) return positions;
  if (sort === 'relevance') return order === 'asc' ? positions.toReversed() : positions;
  return sortedBy(SORTS[sort], order, snapshot, positions);
}

/** The positions by the value that the row of a sort names. Markets without it come last. */
function sortedBy(
  row: SortRow,
  order: MarketQuery['order'],
  snapshot: Markets,
  positions: readonly number[],
): readonly number[] {
  const isAscending = order === undefined ? row.ascending === true : order === 'asc';
  const readValue = valueReader(snapshot, row);
  const keyOf = (position: number): number => {
    const value = readValue(snapshot.market(position));
    if (value === undefined) return Number.POSITIVE_INFINITY;
    return isAscending ? value : -value;
  };
  const keyed = positions.map((position) => ({ position, key: keyOf(position) }));
  // Equal keys are compared first, because the difference of two infinite ones is NaN.
  keyed.sort((a, b) => (a.key === b.key ? a.position - b.position : a.key - b.key));
  return keyed.map(({ position }) => position);
}

/** `order` without `sort` reverses the relevance or the list, never `ids`. */
function impliedSort({ ids, order }: MarketQuery, isSearch: boolean): SortName | undefined {
  if (order === undefined) return undefined;
  if (isSearch) return 'relevance';
  return ids ? undefined : 'volume';
}

/** The positions before filters: those of `ids`, of the search, or of the whole list. */
function candidatesOf(
  snapshot: Markets,
  ids: MarketQuery['ids'],
  foundPositions: readonly number[] | undefined,
): readonly number[] {
  if (!ids) return foundPositions ?? [...Array(snapshot.length).keys()];
  const named = new Set(ids.flatMap((id) => snapshot.positionOf(id) ?? []));
  return foundPositions ? foundPositions.filter((position) => named.has(position)) : [...named];
}

/** The filters by a market's fields. `ids` is none: it selects the candidates. */
const { ids: _, ...MARKET_FILTERS } = FILTERS;

/** How markets are filtered. */
function rulesOf(snapshot: Markets): FilterRules<typeof MARKET_FILTERS, Market> {
  return {
    filters: MARKET_FILTERS,
    readerOf: (bound) => valueReader(snapshot, bound),
    predicates: {
      category: (category) => (market) => market.categories.includes(category),
      tag: tagPredicate(({ tags }) => tags),
      event: (slug) => (market) => market.eventSlug === slug,
    },
  };
}

/**
 * Makes the function that reads the number that a sort or a bound compares; times are in
 * milliseconds. A doubtful change counts as unknown.
 *
 * Upstream omits a `volume24h` of 0, so a market without the field has 0. If no market has the
 * field, upstream omits it for another reason, and it is unknown.
 */
function valueReader(
  snapshot: Markets,
  { field, absolute }: Compared,
): (market: Market) => number | undefined {
  const isMissingZero =
    field === 'volume24h' && snapshot.markets.some(({ volume24h }) => volume24h !== undefined);
  return (market) => {
    if (market.doubtfulChanges?.some((name) => name === field)) return undefined;
    const value = market[field];
    if (typeof value === 'string') return Date.parse(value);
    if (typeof value !== 'number') return isMissingZero ? 0 : undefined;
    return absolute ? Math.abs(value) : value;
  };
}

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
    const isWithin = COMPARISONS[bound.is];
    const read = readerOf(bound as BoundOf<F>);
    const limit = limitOf(value, asOf);
    // An unknown value never matches, because each comparison with NaN is false.
    return (entry: T) => isWithin(read(entry) ?? Number.NaN, limit);
  });
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

/**
 * Checks each field that the query bounds from both sides.
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
      if (lower.is !== 'atLeast' || upper.is === 'atLeast') continue;
      const isSameValue = lower.field === upper.field && lower.absolute === upper.absolute;
      const hasValues = COMPARISONS[upper.is](lower.limit, upper.limit);
      if (!isSameValue || hasValues) continue;
      const rule = `${lower.parameter} must be ${MUST_BE[upper.is]} ${upper.parameter}`;
      const reason = 'no value lies between them';
      throw new ServiceError('invalid_parameter', `The parameter ${rule}: ${reason}.`);
    }
  }
}
