import type { ParsedParameters } from '../contract/parameters.ts';
import type { FILTERS, SEARCH_SORT } from '../contract/route-table/market-parameters.ts';
import type { Market } from '../domain/market.ts';
import { timeOf } from '../domain/moment.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

/** The filters of a query, as the API document describes them; a market fulfils all that are set. */
type MarketFilters = Omit<ParsedParameters<typeof FILTERS>, 'ids'>;
type FilterName = keyof MarketFilters;

/**
 * Without `sort`, the order is that of `ids` or of the search where there is one, else that of the list. Without `order`,
 * it is the usual direction of the sort. `relevance` is the order in which a search found the markets.
 */
export type MarketQuery = ParsedParameters<typeof FILTERS & typeof SEARCH_SORT>;
type SortName = NonNullable<MarketQuery['sort']>;
type ValueName = Exclude<SortName, 'relevance'>;

type Markets = Pick<MarketSnapshot, 'length' | 'market' | 'markets' | 'find'>;

/** The number that each sort compares; undefined or null where a market has none. */
const SORT_VALUES: Readonly<Record<ValueName, (market: Market) => number | null | undefined>> = {
  volume: (market) => market.volume,
  liquidity: (market) => market.liquidity,
  volume24h: (market) => market.volume24h,
  probability: (market) => market.currentProbability,
  spread: (market) => market.spread,
  endDate: (market) => Date.parse(market.endDate),
  newest: (market) => (market.createdAt === undefined ? undefined : Date.parse(market.createdAt)),
  change1d: (market) => market.oneDayPriceChange,
  change7d: (market) => market.sevenDayPriceChange,
  change30d: (market) => market.thirtyDayPriceChange,
  move1d: (market) => sizeOf(market.oneDayPriceChange),
  move7d: (market) => sizeOf(market.sevenDayPriceChange),
  move30d: (market) => sizeOf(market.thirtyDayPriceChange),
};

/** Sorts that show the smallest value first. */
const ASCENDING: readonly SortName[] = ['endDate', 'spread'];

/**
 * The positions of the markets that fulfil a query, in its order. Ties are in list order (volume, then id), and markets
 * without the value of the sort come last, in both directions.
 *
 * @param asOf Unix ms: relative moments count from it
 * @param found positions in the order of relevance, when the query is a search
 */
export function select(
  snapshot: Markets,
  query: MarketQuery,
  asOf: number,
  found?: readonly number[],
): readonly number[] {
  const conditions = conditionsOf(query, { markets: snapshot, asOf });
  const candidates = candidatesOf(snapshot, query.ids, found);
  const fulfils = (position: number) => conditions.every((condition) => condition(snapshot.market(position)));
  const kept = conditions.length === 0 ? candidates : candidates.filter(fulfils);
  const sort = query.sort ?? impliedSort(query, found !== undefined);
  if (sort === undefined) return kept;
  const isAscending = (query.order ?? (ASCENDING.includes(sort) ? 'asc' : 'desc')) === 'asc';
  if (sort === 'relevance') return isAscending ? kept.toReversed() : kept;
  const readValue = valueReader(snapshot, sort);
  const keyed = kept.map((position) => {
    const value = readValue(snapshot.market(position));
    return { position, key: value === undefined ? Number.POSITIVE_INFINITY : isAscending ? value : -value };
  });
  // The difference of two infinite keys is not a number.
  keyed.sort((a, b) => (a.key === b.key ? a.position - b.position : a.key - b.key));
  return keyed.map(({ position }) => position);
}

/** `order` without `sort` applies to the relevance of a search, otherwise to the order of the list, never to `ids`. */
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
  const named = new Set(ids.flatMap((id) => snapshot.find(id) ?? []));
  return found ? found.filter((position) => named.has(position)) : [...named];
}

type Condition = (market: Market) => boolean;

/** What a condition can depend on besides the value of its filter. */
interface FilterContext {
  readonly markets: Markets;
  /** Unix ms: relative moments count from it. */
  readonly asOf: number;
}

/** The condition of each filter. A filter that is in the contract and missing here does not compile. */
const CONDITIONS: {
  readonly [F in FilterName]: (value: NonNullable<MarketFilters[F]>, context: FilterContext) => Condition;
} = {
  category: (category) => (market) => market.categories.includes(category),
  tag: (slugs) => {
    const tags = new Set(slugs.map((slug) => slug.toLowerCase()));
    return (market) => market.tags.some((slug) => tags.has(slug.toLowerCase()));
  },
  event: (slug) => (market) => market.eventSlug === slug,
  minVolume: bound('volume', isAtLeast),
  minVolume24h: bound('volume24h', isAtLeast),
  minLiquidity: bound('liquidity', isAtLeast),
  minProbability: bound('probability', isAtLeast),
  minMove1d: bound('move1d', isAtLeast),
  maxProbability: bound('probability', isAtMost),
  maxSpread: bound('spread', isAtMost),
  endsAfter: (moment, { asOf }) => {
    const from = timeOf(moment, asOf);
    return (market) => Date.parse(market.endDate) >= from;
  },
  endsBefore: (moment, { asOf }) => {
    const end = timeOf(moment, asOf);
    return (market) => Date.parse(market.endDate) < end;
  },
};

function conditionsOf(filters: MarketFilters, context: FilterContext): readonly Condition[] {
  return (Object.keys(CONDITIONS) as FilterName[]).flatMap((name) => conditionOf(name, filters, context) ?? []);
}

function conditionOf<F extends FilterName>(name: F, filters: MarketFilters, context: FilterContext) {
  const value = filters[name];
  return value === undefined ? undefined : CONDITIONS[name](value as NonNullable<MarketFilters[F]>, context);
}

/**
 * Reads the value that a sort or a bound compares. Upstream omits a `volume24h` of 0. If no market has the field, upstream
 * omits it for another reason.
 */
function valueReader(snapshot: Markets, name: ValueName): (market: Market) => number | undefined {
  const value = SORT_VALUES[name];
  const isZero = name === 'volume24h' && snapshot.markets.some(({ volume24h }) => volume24h !== undefined);
  return (market) => value(market) ?? (isZero ? 0 : undefined);
}

/** A market without the value fulfils no bound. */
function bound(name: ValueName, isWithin: (value: number, limit: number) => boolean) {
  return (limit: number, { markets }: FilterContext): Condition => {
    const readValue = valueReader(markets, name);
    return (market) => isWithin(readValue(market) ?? Number.NaN, limit);
  };
}

function isAtLeast(value: number, limit: number): boolean {
  return value >= limit;
}

function isAtMost(value: number, limit: number): boolean {
  return value <= limit;
}

function sizeOf(change: number | null | undefined): number | undefined {
  return change === null || change === undefined ? undefined : Math.abs(change);
}

/**
 * @param asOf Unix ms: relative moments count from it
 * @throws ServiceError `invalid_parameter` (400) for a range that no value lies in
 */
export function checkRanges(
  {
    minProbability,
    maxProbability,
    endsAfter,
    endsBefore,
  }: Pick<MarketFilters, 'minProbability' | 'maxProbability' | 'endsAfter' | 'endsBefore'>,
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
