import type { OrderBook } from '../domain/order-book.ts';
import type { HttpResponse } from '../http/response.ts';
import type { ToolArguments } from './tool-arguments.ts';

/** What a tool gives: its data and how old they are. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Makes the short result of a tool from the response of its endpoint. */
export type Shape = (response: HttpResponse, sent: ToolArguments, now: number) => ToolResult;

/** Points of a history that a model is given, evenly taken out of what there is, the first and the last included. */
const MOST_POINTS = 40;

/** Time and age of data that were read at `asOf` (ms). */
function age(asOf: number, now: number): ToolResult {
  return { asOf: new Date(asOf).toISOString(), ageSeconds: Math.max(0, Math.round((now - asOf) / 1_000)) };
}

/** The time of a snapshot is that of its prices. */
function snapshotAge({ headers }: HttpResponse, now: number): ToolResult {
  return age(Date.parse(headers['Last-Modified'] ?? ''), now);
}

export const markets: Shape = (response, _sent, now) => {
  const found: readonly unknown[] = JSON.parse(response.body);
  const total = Number(response.headers['X-Total-Count'] ?? found.length);
  const match = response.headers['X-Search-Match'];
  return { ...snapshotAge(response, now), total, ...(match ? { match } : {}), markets: found };
};

/** What a model has no use for unless it asks for the fields by name. */
const SELDOM_READ: readonly string[] = [
  'image',
  'createdAt',
  'minimumTickSize',
  'protocolVersion',
  'negRisk',
];

export const market: Shape = (response, _sent, now) => {
  const found: Readonly<Record<string, unknown>> = JSON.parse(response.body);
  const kept = Object.entries(found).filter(([name]) => !SELDOM_READ.includes(name));
  return { ...snapshotAge(response, now), market: Object.fromEntries(kept) };
};

/** Markets of an event that a model is given, the most probable first. */
const MOST_OF_EVENT = 12;

export const event: Shape = (response, _sent, now) => {
  const { markets: all, ...summary }: { markets: readonly unknown[] } = JSON.parse(response.body);
  const kept = all.slice(0, MOST_OF_EVENT);
  // A large event is cut before all its markets are in it.
  const total = Number(response.headers['X-Total-Count'] ?? all.length);
  return { ...snapshotAge(response, now), event: summary, total, markets: kept };
};

/** Prices as the order book has them, at most a second old. */
export const orderBook: Shape = (response, _sent, now) => {
  const { bids, asks }: OrderBook = JSON.parse(response.body);
  const levels = (side: OrderBook['bids']) => side.map(({ price, size }) => [Number(price), Number(size)]);
  const [bid, ask] = [levels(bids)[0]?.[0], levels(asks)[0]?.[0]];
  const spread = bid === undefined || ask === undefined ? {} : { spread: Number((ask - bid).toFixed(4)) };
  return { ...age(now, now), ...spread, bids: levels(bids), asks: levels(asks) };
};

export const priceHistory: Shape = (response, _sent, now) => {
  const { history }: { history: { t: number; p: number }[] } = JSON.parse(response.body);
  const step = Math.max(1, (history.length - 1) / (MOST_POINTS - 1));
  const count = Math.min(MOST_POINTS, history.length);
  const points = Array.from({ length: count }, (_, n) => history[Math.round(n * step)]).flatMap((point) =>
    point ? [[new Date(point.t * 1_000).toISOString().replace('.000', ''), point.p]] : [],
  );
  const last = history.at(-1);
  const source = response.headers['X-Data-Source'];
  return { ...(last ? age(last.t * 1_000, now) : age(now, now)), ...(source ? { source } : {}), points };
};

export const status: Shape = (response) => JSON.parse(response.body);
