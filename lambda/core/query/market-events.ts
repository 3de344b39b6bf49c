/**
 * Groups the markets of a snapshot into events. An event has the markets about one thing, such as
 * one market for each candidate of an election.
 */
import type { CategoryName } from '../contract/constants.ts';
import type { PriceSource } from '../contract/market-fields.ts';
import { MAX_TOP_MARKETS, TOP_MARKET_FIELDS } from '../contract/market-schemas.ts';
import type { FromSchemaNamed } from '../contract/schemas.ts';
import { type Market, pickFields } from '../domain/market.ts';
import type { UnixMs } from '../domain/time.ts';
import { sumOfAmounts } from '../domain/values.ts';

/** The public fields of an event, without its markets. */
export type EventSummary = FromSchemaNamed<'Event'>;

/** An event with everything that a query reads of it. */
export interface MarketEvent {
  readonly summary: EventSummary;
  readonly endsAt: UnixMs;
  /** The categories of any of its markets. */
  readonly categories: ReadonlySet<CategoryName>;
  /** Positions in the list, most probable market first. */
  readonly positions: readonly number[];
}

/** A market of an event, and its position in the list. */
interface Member {
  readonly market: Market;
  readonly position: number;
}

/** All events of a snapshot. */
export interface EventList {
  /** By descending volume; ties by slug. */
  readonly events: readonly MarketEvent[];
  readonly bySlug: ReadonlyMap<string, MarketEvent>;
}

/**
 * The events of the markets. A market without an event belongs to none.
 *
 * @param markets in list order
 */
export function groupIntoEvents(markets: readonly Market[]): EventList {
  const members = markets.map((market, position): Member => ({ market, position }));
  const groups = Map.groupBy(members, ({ market }) => market.eventSlug);
  const bySlug = new Map<string, MarketEvent>();
  for (const [slug, group] of groups) {
    if (slug !== undefined) bySlug.set(slug, eventOf(slug, group));
  }
  return { events: [...bySlug.values()].sort(byVolume), bySlug };
}

/** By descending volume; ties by slug, which no two events share. */
function byVolume({ summary: a }: MarketEvent, { summary: b }: MarketEvent): number {
  if (a.volume !== b.volume) return b.volume - a.volume;
  return a.slug < b.slug ? -1 : 1;
}

/** Makes an event of its markets. @param members in list order */
function eventOf(slug: string, members: readonly Member[]): MarketEvent {
  const markets = members.map(({ market }) => market);
  const probableFirst = members.toSorted(
    (a, b) => b.market.currentProbability - a.market.currentProbability,
  );
  const topMarkets = probableFirst
    .slice(0, MAX_TOP_MARKETS)
    .map(({ market }) => pickFields(market, TOP_MARKET_FIELDS)) as EventSummary['topMarkets'];
  const lastToEnd = markets.reduce((latest, market) =>
    endOf(market) > endOf(latest) ? market : latest,
  );
  const summary = {
    slug,
    title: markets.find(({ eventTitle }) => eventTitle !== undefined)?.eventTitle ?? slug,
    volume: sumOfAmounts(markets.map(({ volume }) => volume)),
    volume24h: sumOfAmounts(markets.map(({ volume24h = 0 }) => volume24h)),
    liquidity: sumOfAmounts(markets.map(({ liquidity }) => liquidity)),
    endDate: lastToEnd.endDate,
    markets: markets.length,
    tags: [...new Set(markets.flatMap(({ tags }) => tags))],
    topMarkets,
    ...sumsOfSides(markets),
  };
  return {
    summary,
    endsAt: endOf(lastToEnd),
    categories: new Set(markets.flatMap(({ categories }) => categories)),
    positions: probableFirst.map(({ position }) => position),
  };
}

/** The sources of a price whose order book was read for this snapshot. */
const READ_BOOK_SOURCES: readonly PriceSource[] = ['book', 'trade', 'untraded'];

/**
 * What one YES of each market sells for together (`bidSum`), and what they cost (`askSum`), in USD.
 * Without a bid, a share sells for 0. Without an ask, it cannot be bought, and there is no
 * `askSum`. The sums are not normalised: outcomes that are not listed have no share.
 *
 * @returns an empty object unless the markets exclude each other and their books were read
 */
function sumsOfSides(markets: readonly Market[]): Pick<EventSummary, 'bidSum' | 'askSum'> {
  const areComparable = markets.every(
    ({ negRisk, priceSource }) => negRisk && READ_BOOK_SOURCES.includes(priceSource),
  );
  if (!areComparable) return {};
  const asks = markets.flatMap(({ bestAsk }) => bestAsk ?? []);
  return {
    bidSum: sumOfAmounts(markets.map(({ bestBid = 0 }) => bestBid)),
    ...(asks.length === markets.length ? { askSum: sumOfAmounts(asks) } : {}),
  };
}

function endOf({ endDate }: Market): number {
  return Date.parse(endDate);
}
