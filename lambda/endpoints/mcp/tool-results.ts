import type { FromSchemaNamed } from '../../core/contract/schemas.ts';
import type { PricePoint } from '../../core/domain/change.ts';
import type { OrderBook } from '../../core/domain/order-book.ts';
import { SECOND_MS, toUnixMs, type UnixMs } from '../../core/domain/time.ts';
import type { HttpResponse } from '../../http/response.ts';

/** What a tool returns: the data and its age. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Shortens an endpoint's response for a model. */
export type Shape = (response: HttpResponse, now: UnixMs) => ToolResult;

/** The points of a history, with the first and the last one. */
const MAX_POINTS = 40;
/** The markets of an event: the most probable ones. */
export const MAX_EVENT_MARKETS = 12;
/** Fields that models rarely need. `list_markets` can request them by name. */
export const OMITTED_FIELDS: readonly string[] = [
  'image',
  'createdAt',
  'minimumTickSize',
  'protocolVersion',
  'negRisk',
];

function age(asOf: UnixMs, now: UnixMs): ToolResult {
  return {
    asOf: new Date(asOf).toISOString(),
    ageSeconds: Math.max(0, Math.round((now - asOf) / SECOND_MS)),
  };
}

function snapshotAge({ headers }: HttpResponse, now: UnixMs): ToolResult {
  return age(Date.parse(headers['Last-Modified'] ?? ''), now);
}

function totalOf({ headers }: HttpResponse, entries: readonly unknown[]): number {
  return Number(headers['X-Total-Count'] ?? entries.length);
}

const DOUBT =
  "≈ marks a change that can be wrong: its start comes from Polymarket's history, which has jumped since then. Do not rank or report it without this doubt.";

type FoundMarket = ToolResult & { readonly doubtfulChanges?: readonly string[] };

/** The market with its doubtful changes as texts with a sign, such as "≈40.2". */
function marked(market: FoundMarket): FoundMarket {
  const marks = market.doubtfulChanges?.flatMap((name) =>
    name in market ? [[name, `≈${market[name]}`]] : [],
  );
  return { ...market, ...Object.fromEntries(marks ?? []) };
}

/** The sentence about the sign "≈", if a market has one. */
function doubtOf(markets: readonly FoundMarket[]): ToolResult {
  return markets.some(({ doubtfulChanges }) => doubtfulChanges) ? { doubt: DOUBT } : {};
}

/** The result of `search_markets` and `list_markets`. */
export const marketsResult: Shape = (response, now) => {
  const found: readonly FoundMarket[] = JSON.parse(response.body);
  const match = response.headers['X-Search-Match'];
  return {
    ...snapshotAge(response, now),
    total: totalOf(response, found),
    ...(match ? { match } : {}),
    ...doubtOf(found),
    markets: found.map(marked),
  };
};

/** The result of `get_market`. */
export const marketResult: Shape = (response, now) => {
  const found: FoundMarket = JSON.parse(response.body);
  const fields = Object.entries(marked(found)).filter(([name]) => !OMITTED_FIELDS.includes(name));
  return { ...snapshotAge(response, now), ...doubtOf([found]), market: Object.fromEntries(fields) };
};

/** The result of `list_events`. It has no ids and tokens of markets, which `get_event` has. */
export const eventsResult: Shape = (response, now) => {
  const found: readonly FromSchemaNamed<'Event'>[] = JSON.parse(response.body);
  const { markets: _, ...list } = marketsResult(response, now);
  const events = found.map(({ topMarkets, ...event }) => ({
    ...event,
    topMarkets: topMarkets.map(({ groupItemTitle, question, currentProbability }) => [
      groupItemTitle ?? question,
      currentProbability,
    ]),
  }));
  return { ...list, events };
};

/** The result of `get_event`. */
export const eventResult: Shape = (response, now) => {
  const { markets: all, ...summary }: { markets: readonly FoundMarket[] } = JSON.parse(
    response.body,
  );
  // The response may omit markets of a large event.
  const total = totalOf(response, all);
  const markets = all.slice(0, MAX_EVENT_MARKETS);
  return {
    ...snapshotAge(response, now),
    ...doubtOf(markets),
    event: summary,
    total,
    markets: markets.map(marked),
  };
};

/** The result of `get_order_book`. A book is at most a second old, so its time is now. */
export const orderBookResult: Shape = (response, now) => {
  const { bids, asks }: OrderBook = JSON.parse(response.body);
  const levels = (side: OrderBook['bids']) =>
    side.map(({ price, size }) => [Number(price), Number(size)]);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price].map(Number);
  const spread = Number((Number(ask) - Number(bid)).toFixed(4));
  return {
    ...age(now, now),
    ...(Number.isNaN(spread) ? {} : { spread }),
    bids: levels(bids),
    asks: levels(asks),
  };
};

function timeAndPrice({ t, p }: PricePoint): [time: string, price: number] {
  return [new Date(toUnixMs(t)).toISOString().replace('.000', ''), p];
}

/** The result of `get_prices_history`: some points at equal distances, and the extremes of all. */
export const historyResult: Shape = (response, now) => {
  const { history }: { history: readonly PricePoint[] } = JSON.parse(response.body);
  const prices = history.filter((point) => !point.payout);
  const count = Math.min(MAX_POINTS, prices.length);
  const step = Math.max(1, (prices.length - 1) / (MAX_POINTS - 1));
  const points = Array.from({ length: count }, (_, n) => prices[Math.round(n * step)]).flatMap(
    (point) => (point ? [timeAndPrice(point)] : []),
  );
  const byPrice = prices.toSorted((a, b) => a.p - b.p);
  const [low, high, last] = [byPrice[0], byPrice.at(-1), history.at(-1)];
  const payout = history.find((point) => point.payout);
  return {
    ...age(last ? toUnixMs(last.t) : now, now),
    sampledFrom: prices.length,
    ...(high && low ? { high: timeAndPrice(high), low: timeAndPrice(low) } : {}),
    points,
    ...(payout ? { payout: timeAndPrice(payout) } : {}),
  };
};

export const statusResult: Shape = (response) => JSON.parse(response.body);

/** The longest text of a value, in UTF-16 units. Longer texts are cut. */
const MAX_TEXT_LENGTH = 600;
/** Rules may be longer, because their last sentence can decide the market. */
const MAX_RULES_LENGTH = 8_000;

/** Shortens all texts of a value. The names of fields are our own, so they stay. */
export function shortTexts(value: unknown, maxLength = MAX_TEXT_LENGTH): unknown {
  if (typeof value === 'string') {
    return value.length > maxLength ? `${value.slice(0, maxLength).toWellFormed()}…` : value;
  }
  if (Array.isArray(value)) return value.map((entry) => shortTexts(entry, maxLength));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      shortTexts(entry, name === 'rules' ? MAX_RULES_LENGTH : maxLength),
    ]),
  );
}
