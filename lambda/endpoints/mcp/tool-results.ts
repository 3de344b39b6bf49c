/**
 * Makes the results of MCP tools, which language models call, from responses of endpoints. A model
 * reads the whole result, so it is short: few fields, few points, cut texts.
 */
import type { FromSchemaNamed } from '../../core/contract/schemas.ts';
import type { OrderBook } from '../../core/domain/order-book.ts';
import type { PricePoint } from '../../core/domain/price-history.ts';
import { SECOND_MS, toUnixMs, type UnixMs } from '../../core/domain/time.ts';
import { itemAt } from '../../core/domain/values.ts';
import type { HttpResponse } from '../../http/response.ts';

/** What a tool returns: the data and its age. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Makes a result from an endpoint's response. */
export type Shape = (response: HttpResponse, now: UnixMs) => ToolResult;

/** A history has at most this many points, which include the first and the last one. */
const MAX_POINTS = 40;
/** An event has at most this many markets: the most probable ones. */
export const MAX_EVENT_MARKETS = 12;
/** Fields that models rarely need. `list_markets` can request them by name. */
export const OMITTED_FIELDS: readonly string[] = [
  'image',
  'createdAt',
  'minimumTickSize',
  'protocolVersion',
  'negRisk',
];

/** The fields about the age of data. */
function age(asOf: UnixMs, now: UnixMs): ToolResult {
  return {
    asOf: new Date(asOf).toISOString(),
    ageSeconds: Math.max(0, Math.round((now - asOf) / SECOND_MS)),
  };
}

/** The age of a snapshot's data: the header has its time. */
function snapshotAge({ headers }: HttpResponse, now: UnixMs): ToolResult {
  return age(Date.parse(headers['Last-Modified'] ?? ''), now);
}

/** How many entries the whole list has. A response with all of them has no header. */
function totalOf({ headers }: HttpResponse, entries: readonly unknown[]): number {
  return Number(headers['X-Total-Count'] ?? entries.length);
}

/** What the sign "≈" means, for the model. */
const DOUBT =
  "≈ marks a change that can be wrong: its start comes from Polymarket's history, which has jumped since then. Do not rank or report it without this doubt.";

/** A market of a response, with the fields that the tool requested. */
type FoundMarket = ToolResult & { readonly doubtfulChanges?: readonly string[] };

/** The market with its doubtful changes as texts with a sign, such as "≈40.2". */
function withMarks(market: FoundMarket): FoundMarket {
  const { doubtfulChanges = [] } = market;
  const shown = doubtfulChanges.filter((name) => name in market);
  const marks = shown.map((name) => [name, `≈${market[name]}`]);
  return { ...market, ...Object.fromEntries(marks) };
}

/** The sentence about the sign "≈", if a market has it. */
function doubtOf(markets: readonly FoundMarket[]): ToolResult {
  return markets.some(({ doubtfulChanges }) => doubtfulChanges) ? { doubt: DOUBT } : {};
}

/** What a result says about a list: its age, its size and how the search matched. */
function listHead(response: HttpResponse, now: UnixMs, entries: readonly unknown[]): ToolResult {
  const match = response.headers['X-Search-Match'];
  return {
    ...snapshotAge(response, now),
    total: totalOf(response, entries),
    ...(match ? { match } : {}),
  };
}

/** The result of `search_markets` and `list_markets`. */
export const marketsResult: Shape = (response, now) => {
  const found: readonly FoundMarket[] = JSON.parse(response.body);
  const head = listHead(response, now, found);
  return { ...head, ...doubtOf(found), markets: found.map(withMarks) };
};

/** The result of `get_market`. */
export const marketResult: Shape = (response, now) => {
  const found: FoundMarket = JSON.parse(response.body);
  const fields = Object.entries(withMarks(found)).filter(
    ([name]) => !OMITTED_FIELDS.includes(name),
  );
  return { ...snapshotAge(response, now), ...doubtOf([found]), market: Object.fromEntries(fields) };
};

/** The result of `list_events`. It has no ids and tokens of markets, which `get_event` has. */
export const eventsResult: Shape = (response, now) => {
  const found: readonly FromSchemaNamed<'Event'>[] = JSON.parse(response.body);
  const events = found.map(({ topMarkets, ...event }) => ({
    ...event,
    topMarkets: topMarkets.map(({ groupItemTitle, question, currentProbability }) => [
      groupItemTitle ?? question,
      currentProbability,
    ]),
  }));
  return { ...listHead(response, now, found), events };
};

/** The result of `get_event`. */
export const eventResult: Shape = (response, now) => {
  const event: { readonly markets: readonly FoundMarket[] } = JSON.parse(response.body);
  const { markets: all, ...summary } = event;
  const markets = all.slice(0, MAX_EVENT_MARKETS);
  return {
    ...snapshotAge(response, now),
    ...doubtOf(markets),
    event: summary,
    // The response may omit markets of a large event, too.
    total: totalOf(response, all),
    markets: markets.map(withMarks),
  };
};

/** The result of `order_book`. A book is at most a second old, so its time is now. */
export const orderBookResult: Shape = (response, now) => {
  const { bids, asks }: OrderBook = JSON.parse(response.body);
  const levels = (side: OrderBook['bids']) =>
    side.map(({ price, size }) => [Number(price), Number(size)]);
  const exactSpread = Number(asks[0]?.price) - Number(bids[0]?.price);
  // NaN if a side is empty. Ticks have four decimals; more digits are binary noise.
  const spread = Number(exactSpread.toFixed(4));
  return {
    ...age(now, now),
    ...(Number.isNaN(spread) ? {} : { spread }),
    bids: levels(bids),
    asks: levels(asks),
  };
};

/** A point as a model reads it: ["2026-11-20T00:00:00Z", 0.42]. */
function timeAndPrice({ t, p }: PricePoint): [time: string, price: number] {
  return [new Date(toUnixMs(t)).toISOString().replace('.000', ''), p];
}

/** The result of `price_history`: some points at equal distances, and the extremes of all. */
export const historyResult: Shape = (response, now) => {
  const { history }: { history: readonly PricePoint[] } = JSON.parse(response.body);
  const prices = history.filter((point) => !point.payout);
  const payout = history.find((point) => point.payout);
  const last = history.at(-1);
  const byPrice = prices.toSorted((a, b) => a.p - b.p);
  const [low, high] = [byPrice[0], byPrice.at(-1)];
  return {
    ...age(last ? toUnixMs(last.t) : now, now),
    sampledFrom: prices.length,
    ...(high && low ? { high: timeAndPrice(high), low: timeAndPrice(low) } : {}),
    points: sampled(prices).map(timeAndPrice),
    ...(payout ? { payout: timeAndPrice(payout) } : {}),
  };
};

/** At most `MAX_POINTS` points at equal distances, with the first and the last one. */
function sampled(points: readonly PricePoint[]): readonly PricePoint[] {
  if (points.length <= MAX_POINTS) return points;
  const step = (points.length - 1) / (MAX_POINTS - 1);
  return Array.from({ length: MAX_POINTS }, (_, index) => itemAt(points, Math.round(index * step)));
}

/** The result of `market_status`: the whole response. */
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
