import type { CategoryName } from '../contract/market-schemas.ts';
import type { ParsedParameters } from '../contract/parameters.ts';
import type { EVENT_FILTERS, EVENT_SORT } from '../contract/route-table/market-parameters.ts';
import type { FromSchemaNamed } from '../contract/schemas.ts';
import { type Market, pickFields } from '../domain/market.ts';
import { timeOf } from '../domain/moment.ts';
import { sumOfAmounts } from '../domain/values.ts';

export type EventSummary = FromSchemaNamed<'Event'>;

/** An event with everything that a query reads of it. */
export interface MarketEvent {
  readonly summary: EventSummary;
  /** Unix ms. */
  readonly endsAt: number;
  /** Those of any of its markets. */
  readonly categories: ReadonlySet<CategoryName>;
  /** Positions of its markets in the list, most probable first. */
  readonly positions: readonly number[];
}

export interface EventList {
  /** By volume, ties by slug. */
  readonly events: readonly MarketEvent[];
  readonly bySlug: ReadonlyMap<string, MarketEvent>;
}

/** The filters and the order of a query, as the API document describes them. */
export type EventQuery = ParsedParameters<typeof EVENT_FILTERS & typeof EVENT_SORT>;

const MAX_TOP_MARKETS = 3;
const TOP_FIELDS = [
  'id',
  'question',
  'slug',
  'groupItemTitle',
  'currentProbability',
  'clobTokenId',
  'outcome',
] as const;

const SORT_VALUES: Readonly<Record<NonNullable<EventQuery['sort']>, (event: MarketEvent) => number>> = {
  volume: ({ summary }) => summary.volume,
  volume24h: ({ summary }) => summary.volume24h,
  liquidity: ({ summary }) => summary.liquidity,
  endDate: ({ endsAt }) => endsAt,
};

/** @param markets in list order */
export function groupIntoEvents(markets: readonly Market[]): EventList {
  const members = Map.groupBy(markets.entries(), ([, { eventSlug }]) => eventSlug);
  const events = [...members]
    .flatMap(([slug, entries]) => (slug === undefined ? [] : [eventOf(slug, entries)]))
    .sort(byEventVolume);
  return { events, bySlug: new Map(events.map((event) => [event.summary.slug, event])) };
}

/**
 * The events that fulfil a query, in its order. Ties are by volume, then slug, in both directions.
 *
 * @param asOf Unix ms: relative moments count from it
 * @param found positions of markets that a search found: only events with one of them
 */
export function selectEvents(
  { events }: EventList,
  query: EventQuery,
  asOf: number,
  found?: readonly number[],
): readonly MarketEvent[] {
  const { sort = 'volume', order = sort === 'endDate' ? 'asc' : 'desc' } = query;
  const isFound = found && new Set(found);
  const conditions = conditionsOf(query, asOf);
  const value = SORT_VALUES[sort];
  const sign = order === 'asc' ? 1 : -1;
  return events
    .filter((event) => conditions.every((condition) => condition(event)))
    .filter((event) => !isFound || event.positions.some((position) => isFound.has(position)))
    .sort((a, b) => sign * (value(a) - value(b)) || byEventVolume(a, b));
}

type EventFilters = ParsedParameters<typeof EVENT_FILTERS>;
type FilterName = keyof EventFilters;
type Condition = (event: MarketEvent) => boolean;

/** The condition of each filter. A filter that is in the contract and missing here does not compile. */
const CONDITIONS: {
  readonly [F in FilterName]: (value: NonNullable<EventFilters[F]>, asOf: number) => Condition;
} = {
  category:
    (category) =>
    ({ categories }) =>
      categories.has(category),
  tag: (slugs) => {
    const tags = new Set(slugs.map((slug) => slug.toLowerCase()));
    return ({ summary }) => summary.tags.some((slug) => tags.has(slug.toLowerCase()));
  },
  minVolume: (limit) => (event) => event.summary.volume >= limit,
  minVolume24h: (limit) => (event) => event.summary.volume24h >= limit,
  minLiquidity: (limit) => (event) => event.summary.liquidity >= limit,
  endsAfter: (moment, asOf) => (event) => event.endsAt >= timeOf(moment, asOf),
  endsBefore: (moment, asOf) => (event) => event.endsAt < timeOf(moment, asOf),
};

function conditionsOf(query: EventQuery, asOf: number): readonly Condition[] {
  return (Object.keys(CONDITIONS) as FilterName[]).flatMap((name) => conditionOf(name, query, asOf) ?? []);
}

function conditionOf<F extends FilterName>(name: F, filters: EventFilters, asOf: number): Condition | undefined {
  const value = filters[name];
  return value === undefined ? undefined : CONDITIONS[name](value as NonNullable<EventFilters[F]>, asOf);
}

function byEventVolume(a: MarketEvent, b: MarketEvent): number {
  return b.summary.volume - a.summary.volume || (a.summary.slug < b.summary.slug ? -1 : 1);
}

/** @param members the markets of the event with their positions, in list order */
function eventOf(slug: string, members: readonly (readonly [number, Market])[]): MarketEvent {
  const markets = members.map(([, market]) => market);
  const probableFirst = members.toSorted(([, a], [, b]) => b.currentProbability - a.currentProbability);
  const last = markets.reduce((latest, market) => (endOf(market) > endOf(latest) ? market : latest));
  const summary = {
    slug,
    title: markets.find(({ eventTitle }) => eventTitle !== undefined)?.eventTitle ?? slug,
    volume: sumOfAmounts(markets.map(({ volume }) => volume)),
    volume24h: sumOfAmounts(markets.map(({ volume24h = 0 }) => volume24h)),
    liquidity: sumOfAmounts(markets.map(({ liquidity }) => liquidity)),
    endDate: last.endDate,
    markets: markets.length,
    tags: [...new Set(markets.flatMap(({ tags }) => tags))],
    topMarkets: probableFirst
      .slice(0, MAX_TOP_MARKETS)
      .map(([, market]) => pickFields(market, TOP_FIELDS)) as EventSummary['topMarkets'],
  };
  return {
    summary,
    endsAt: endOf(last),
    categories: new Set(markets.flatMap(({ categories }) => categories)),
    positions: probableFirst.map(([position]) => position),
  };
}

function endOf({ endDate }: Market): number {
  return Date.parse(endDate);
}
