/**
 * Filters and sorts the markets of a snapshot for the lists and searches of the API. The result has
 * positions in the list, counted from 0, so that a request for the whole list parses no market.
 */
import type { Compared, ParsedParameters } from '../contract/parameters.ts';
import {
  FILTERS,
  type SEARCH_SORT,
  SORTS,
  type SortRow,
} from '../contract/route-table/market-parameters.ts';
import type { Market } from '../domain/market.ts';
import type { UnixMs } from '../domain/time.ts';
import { type FilterRules, predicatesOf, tagPredicate } from './filters.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

/**
 * The filters and the order of a request. Without `sort`, the order is that of `ids`, the search or
 * the list. Without `order`, it is the default direction of the sort. `relevance` is the order of
 * the search.
 */
export type MarketQuery = ParsedParameters<typeof FILTERS & typeof SEARCH_SORT>;
type SortName = NonNullable<MarketQuery['sort']>;

/** The filters by a market's fields. `ids` is none: it names the markets that are filtered. */
const { ids: _, ...FIELD_FILTERS } = FILTERS;

/** What a selection reads of a snapshot. */
type Markets = Pick<MarketSnapshot, 'length' | 'market' | 'markets' | 'positionOf'>;

/**
 * The positions of the markets that fulfil a query, in its order. In both directions, ties are in
 * list order (volume, then id), and markets without the value, or with a doubtful one, come last.
 *
 * @param asOf the time of the data, from which `endsBefore=+7d` counts
 * @param foundPositions what a search found, most relevant first
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

/**
 * The positions, sorted by the field of a sort key. A market without a value has the key Infinity,
 * so it comes last in both directions.
 */
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
  // Infinity minus Infinity is NaN, so equal keys are not subtracted.
  keyed.sort((a, b) => (a.key === b.key ? a.position - b.position : a.key - b.key));
  return keyed.map(({ position }) => position);
}

/**
 * The sort of a request that has an `order` without `sort`: a search by relevance, the list by
 * volume. Markets that `ids` names keep the order of the ids.
 */
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

/** How markets are filtered. Each predicate makes a condition from the value of its parameter. */
function rulesOf(snapshot: Markets): FilterRules<typeof FIELD_FILTERS, Market> {
  return {
    filters: FIELD_FILTERS,
    readerOf: (bound) => valueReader(snapshot, bound),
    predicates: {
      category: (category) => (market) => market.categories.includes(category),
      tag: (slugs) => tagPredicate(slugs, ({ tags }) => tags),
      event: (slug) => (market) => market.eventSlug === slug,
    },
  };
}

/**
 * Makes the function that reads the number that a sort or a bound compares; times are in
 * milliseconds. An absent value and a doubtful change are unknown, so the function returns
 * undefined.
 *
 * Upstream omits a `volume24h` of 0, so a market without the field has 0. If no market has the
 * field, upstream omits it for another reason, and it is unknown.
 */
function valueReader(
  snapshot: Markets,
  { field, absolute }: Compared,
): (market: Market) => number | undefined {
  const isZeroIfAbsent =
    field === 'volume24h' && snapshot.markets.some(({ volume24h }) => volume24h !== undefined);
  return (market) => {
    if (market.doubtfulChanges?.some((name) => name === field)) return undefined;
    const value = market[field];
    if (typeof value === 'string') return Date.parse(value);
    if (typeof value !== 'number') return isZeroIfAbsent ? 0 : undefined;
    return absolute ? Math.abs(value) : value;
  };
}
