import type { Bound, Compared, Moment, Parameter, ParsedParameters, ValueOf } from '../contract/parameters.ts';
import { FILTERS, type SEARCH_SORT, SORTS, type SortRow } from '../contract/route-table/market-parameters.ts';
import type { Market } from '../domain/market.ts';
import { timeOf } from '../domain/moment.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { UnixMs } from '../domain/time.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

/**
 * Without `sort`, the order is that of `ids`, the search or the list. Without `order`, it is the sort's default
 * direction. `relevance`: the search's order.
 */
export type MarketQuery = ParsedParameters<typeof FILTERS & typeof SEARCH_SORT>;
type SortName = NonNullable<MarketQuery['sort']>;

type Markets = Pick<MarketSnapshot, 'length' | 'market' | 'markets' | 'positionOf'>;

/**
 * Positions in the query's order. Ties are in list order (volume, then id) and markets without the value last, in both
 * directions.
 *
 * @param asOf relative moments count from it
 * @param found positions by relevance, for a search
 */
export function select(
  snapshot: Markets,
  query: MarketQuery,
  asOf: UnixMs,
  found?: readonly number[],
): readonly number[] {
  const conditions = conditionsOf(rulesOf(snapshot), query, asOf);
  const candidates = candidatesOf(snapshot, query.ids, found);
  const fulfils = (position: number) => conditions.every((condition) => condition(snapshot.market(position)));
  const kept = conditions.length === 0 ? candidates : candidates.filter(fulfils);
  const sort = query.sort ?? impliedSort(query, found !== undefined);
  if (sort === undefined) return kept;
  if (sort === 'relevance') return query.order === 'asc' ? kept.toReversed() : kept;
  const row: SortRow = SORTS[sort];
  const isAscending = query.order === undefined ? row.ascending === true : query.order === 'asc';
  const readValue = valueReader(snapshot, row);
  const keyed = kept.map((position) => {
    const value = readValue(snapshot.market(position));
    return { position, key: value === undefined ? Number.POSITIVE_INFINITY : isAscending ? value : -value };
  });
  // The difference of two infinite keys is NaN.
  keyed.sort((a, b) => (a.key === b.key ? a.position - b.position : a.key - b.key));
  return keyed.map(({ position }) => position);
}

/** `order` without `sort` reverses the relevance or the list, never `ids`. */
function impliedSort({ ids, order }: MarketQuery, isSearch: boolean): SortName | undefined {
  if (order === undefined) return undefined;
  if (isSearch) return 'relevance';
  return ids ? undefined : 'volume';
}

function candidatesOf(
  snapshot: Markets,
  ids: MarketQuery['ids'],
  found: readonly number[] | undefined,
): readonly number[] {
  if (!ids) return found ?? Array.from({ length: snapshot.length }, (_, position) => position);
  const named = new Set(ids.flatMap((id) => snapshot.positionOf(id) ?? []));
  return found ? found.filter((position) => named.has(position)) : [...named];
}

const { ids: _, ...MARKET_FILTERS } = FILTERS;

function rulesOf(snapshot: Markets): FilterRules<typeof MARKET_FILTERS, Market> {
  return {
    filters: MARKET_FILTERS,
    readerOf: (bound) => valueReader(snapshot, bound),
    conditions: {
      category: (category) => (market) => market.categories.includes(category),
      tag: (slugs) => {
        const isTagged = hasAny(slugs);
        return (market) => isTagged(market.tags);
      },
      event: (slug) => (market) => market.eventSlug === slug,
    },
  };
}

/**
 * For sorts and bounds; times in milliseconds. Upstream omits a `volume24h` of 0. If no market has the field, it was
 * omitted for another reason.
 */
function valueReader(snapshot: Markets, { field, absolute }: Compared): (market: Market) => number | undefined {
  const isZero = field === 'volume24h' && snapshot.markets.some(({ volume24h }) => volume24h !== undefined);
  const missing = isZero ? 0 : undefined;
  return (market) => {
    const value = market[field];
    if (typeof value === 'string') return Date.parse(value);
    return typeof value === 'number' ? (absolute ? Math.abs(value) : value) : missing;
  };
}

type Condition<T> = (entry: T) => boolean;

type Filters = Readonly<Record<string, Parameter>>;
/** Bounds of the filters that have one. */
type BoundOf<F extends Filters> = Extract<F[keyof F], { readonly bound: Bound }>['bound'];

/** For one kind of list. */
export interface FilterRules<F extends Filters, T> {
  readonly filters: F;
  /** The value that a bound compares; undefined if absent. */
  readonly readerOf: (bound: BoundOf<F>) => (entry: T) => number | undefined;
  /** For filters without a bound. A missing one is a type error. */
  readonly conditions: {
    readonly [N in keyof F as F[N] extends { readonly bound: Bound } ? never : N]: (
      value: ValueOf<F[N]>,
    ) => Condition<T>;
  };
}

const COMPARISONS: Readonly<Record<Bound['is'], (value: number, limit: number) => boolean>> = {
  atLeast: (value, limit) => value >= limit,
  atMost: (value, limit) => value <= limit,
  below: (value, limit) => value < limit,
};

/** One per filter that is set. @param asOf relative moments count from it */
export function conditionsOf<F extends Filters, T>(
  { filters, readerOf, conditions }: FilterRules<F, T>,
  query: ParsedParameters<F>,
  asOf: UnixMs,
): readonly Condition<T>[] {
  return Object.entries(filters).flatMap(([name, { bound }]) => {
    const value: unknown = query[name as keyof typeof query];
    if (value === undefined) return [];
    if (!bound) return conditions[name as keyof typeof conditions](value as never);
    const isWithin = COMPARISONS[bound.is];
    const read = readerOf(bound as BoundOf<F>);
    const limit = typeof value === 'number' ? value : timeOf(value as Moment, asOf);
    return (entry: T) => isWithin(read(entry) ?? Number.NaN, limit);
  });
}

/** Ignores case. */
export function hasAny(slugs: readonly string[]): (tags: readonly string[]) => boolean {
  const wanted = new Set(slugs.map((slug) => slug.toLowerCase()));
  return (tags) => tags.some((slug) => wanted.has(slug.toLowerCase()));
}

/**
 * @param asOf relative moments count from it
 * @throws ServiceError `invalid_parameter` (400) for a range that no value lies in
 */
export function checkRanges(
  {
    minProbability,
    maxProbability,
    endsAfter,
    endsBefore,
  }: Pick<MarketQuery, 'minProbability' | 'maxProbability' | 'endsAfter' | 'endsBefore'>,
  asOf: number,
): void {
  if (minProbability !== undefined && maxProbability !== undefined && minProbability > maxProbability) {
    throw new ServiceError(
      'invalid_parameter',
      `The parameter minProbability must be at most maxProbability: no value lies between ${minProbability} and ${maxProbability}.`,
    );
  }
  if (endsAfter && endsBefore && timeOf(endsAfter, asOf) >= timeOf(endsBefore, asOf)) {
    throw new ServiceError(
      'invalid_parameter',
      'The parameter endsAfter must be earlier than endsBefore: no time lies between them.',
    );
  }
}
