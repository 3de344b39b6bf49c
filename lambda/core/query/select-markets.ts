import type { Bound, Compared, Moment, Parameter, ParsedParameters, ValueOf } from '../contract/parameters.ts';
import { FILTERS, type SEARCH_SORT, SORTS, type SortRow } from '../contract/route-table/market-parameters.ts';
import type { Market } from '../domain/market.ts';
import { timeOf } from '../domain/moment.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { UnixMs } from '../domain/time.ts';
import type { MarketSnapshot } from './market-snapshot.ts';

/**
 * Without `sort`, the order is that of `ids` or of the search where there is one, else that of the list. Without `order`,
 * it is the usual direction of the sort. `relevance` is the order in which a search found the markets.
 */
export type MarketQuery = ParsedParameters<typeof FILTERS & typeof SEARCH_SORT>;
type SortName = NonNullable<MarketQuery['sort']>;

type Markets = Pick<MarketSnapshot, 'length' | 'market' | 'markets' | 'positionOf'>;

/**
 * The positions of the markets that fulfil a query, in its order. Ties are in list order (volume, then id), and markets
 * without the value of the sort come last, in both directions.
 *
 * @param asOf relative moments count from it
 * @param found positions in the order of relevance, when the query is a search
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
 * Reads the value that a sort or a bound compares; a time is in milliseconds. Upstream omits a `volume24h` of 0. If no market has
 * the field, upstream omits it for another reason.
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

/** Whether an entry of a list fulfils a filter. */
type Condition<T> = (entry: T) => boolean;

type Filters = Readonly<Record<string, Parameter>>;
/** The bounds of the filters that have one. */
type BoundOf<F extends Filters> = Extract<F[keyof F], { readonly bound: Bound }>['bound'];

/** How a list of one kind is filtered. */
export interface FilterRules<F extends Filters, T> {
  readonly filters: F;
  /** Reads the value that a bound compares; undefined if an entry has none. */
  readonly readerOf: (bound: BoundOf<F>) => (entry: T) => number | undefined;
  /** The conditions of the filters without a bound. A filter that is missing here does not compile. */
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

/** The conditions of a query: one for each filter that is set. @param asOf relative moments count from it */
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

/** Whether tags contain one of these, in any case. */
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
