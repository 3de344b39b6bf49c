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
  const candidates = candidatesOf(snapshot, query.ids, foundPositions);
  const fulfils = (position: number) =>
    predicates.every((predicate) => predicate(snapshot.market(position)));
  const kept = predicates.length === 0 ? candidates : candidates.filter(fulfils);
  const sort = query.sort ?? impliedSort(query, foundPositions !== undefined);
  if (sort === undefined) return kept;
  if (sort === 'relevance') return query.order === 'asc' ? kept.toReversed() : kept;
  const row: SortRow = SORTS[sort];
  const isAscending = query.order === undefined ? row.ascending === true : query.order === 'asc';
  const readValue = valueReader(snapshot, row);
  const keyed = kept.map((position) => {
    const value = readValue(snapshot.market(position));
    return {
      position,
      key: value === undefined ? Number.POSITIVE_INFINITY : isAscending ? value : -value,
    };
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

/** The filters by a market's fields. `ids` selects the candidates instead. */
const { ids: _, ...MARKET_FILTERS } = FILTERS;

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
 * Reads the number that a sort or a bound compares; times are in milliseconds. A doubtful change
 * counts as unknown. Upstream omits a `volume24h` of 0. If no market has the field, upstream omits
 * it for another reason, and it is unknown.
 */
function valueReader(
  snapshot: Markets,
  { field, absolute }: Compared,
): (market: Market) => number | undefined {
  const isZero =
    field === 'volume24h' && snapshot.markets.some(({ volume24h }) => volume24h !== undefined);
  const missing = isZero ? 0 : undefined;
  return (market) => {
    if (market.doubtfulChanges?.some((name) => name === field)) return undefined;
    const value = market[field];
    if (typeof value === 'string') return Date.parse(value);
    return typeof value === 'number' ? (absolute ? Math.abs(value) : value) : missing;
  };
}

type Predicate<T> = (entry: T) => boolean;

type Filters = Readonly<Record<string, Parameter>>;
type BoundOf<F extends Filters> = Extract<F[keyof F], { readonly bound: Bound }>['bound'];

/** How a list of one kind is filtered. */
export interface FilterRules<F extends Filters, T> {
  readonly filters: F;
  /** Reads the value that a bound compares; undefined if an entry has none. */
  readonly readerOf: (bound: BoundOf<F>) => (entry: T) => number | undefined;
  /** The conditions of filters without a bound. A missing one is a type error. */
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

/** @returns the number that a bound compares with; of a moment, its time in Unix milliseconds */
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
    if (!bound) return predicates[name as keyof typeof predicates](value as never);
    const isWithin = COMPARISONS[bound.is];
    const read = readerOf(bound as BoundOf<F>);
    const limit = limitOf(value, asOf);
    return (entry: T) => isWithin(read(entry) ?? Number.NaN, limit);
  });
}

/** Keeps entries with any of the tags, in any case. */
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
      const isPair = lower.field === upper.field && lower.absolute === upper.absolute;
      if (!isPair || lower.is !== 'atLeast' || upper.is === 'atLeast') continue;
      if (COMPARISONS[upper.is](lower.limit, upper.limit)) continue;
      const rule = `${lower.parameter} must be ${MUST_BE[upper.is]} ${upper.parameter}`;
      const reason = 'no value lies between them';
      throw new ServiceError('invalid_parameter', `The parameter ${rule}: ${reason}.`);
    }
  }
}
