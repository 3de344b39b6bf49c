/**
 * The simulated CLOB's routes for order books, best prices and last trades. A market keeps the
 * prices of its first outcome, outcome 0, in ticks: `units` ticks are a dollar. Outcome 1 mirrors
 * them.
 */
import { createHash } from 'node:crypto';
import { hasBook, type WireObject } from './market.ts';
import { mirrored, type Quote } from './prices.ts';
import { Draw, mix } from './random.ts';
import {
  json,
  type OutcomeOf,
  type SimulatedRequest,
  type SimulatedResponse,
  type UpstreamData,
} from './route.ts';

/** `GET /book?token_id=`: the order book of one token. */
export function oneBook(
  { query, now }: SimulatedRequest,
  { outcomes }: UpstreamData,
): SimulatedResponse {
  const token = query.get('token_id') ?? '';
  if (token === '') return json(400, { error: 'Invalid token id' });
  const outcome = outcomes.get(token);
  if (!outcome || !hasBook(outcome.market, now))
    return json(404, { error: 'No orderbook exists for the requested token id' });
  return json(200, wireBook(outcome, now));
}

/**
 * `POST /books`: the order books of several tokens. Upstream promises no order, so the books are
 * reversed. Missing books are omitted.
 */
export function booksOf({ body, now }: SimulatedRequest, data: UpstreamData): SimulatedResponse {
  const found = readTokens(body, data, now);
  if ('status' in found) return found;
  const books = found.map((one) => wireBook(one, now));
  return json(200, books.reverse());
}

/**
 * `POST /prices`: the best prices by token. BUY is the best bid, SELL the best ask, and "0" is an
 * empty side.
 */
export function pricesOf({ body, now }: SimulatedRequest, data: UpstreamData): SimulatedResponse {
  const found = readTokens(body, data, now);
  if ('status' in found) return found;
  const items = body as readonly { readonly token_id: unknown; readonly side?: unknown }[];
  if (items.some(({ side }) => side !== 'BUY' && side !== 'SELL'))
    return json(400, { error: 'Invalid side' });
  const requested = new Set(items.map(({ token_id, side }) => `${token_id} ${side}`));
  const prices: Record<string, { BUY?: string; SELL?: string }> = {};
  for (const outcome of found) {
    const token = tokenOf(outcome);
    const { units } = outcome.market;
    const { bid, ask } = quoteOf(outcome, now);
    prices[token] = {
      ...(requested.has(`${token} BUY`) && { BUY: String((bid ?? 0) / units) }),
      ...(requested.has(`${token} SELL`) && { SELL: String((ask ?? 0) / units) }),
    };
  }
  return json(200, prices);
}

/**
 * Of the markets that never traded, one in this many returns a default trade: 0.5 without a side.
 */
const SIDELESS_EVERY = 3;

/** `POST /last-trades-prices`: the last trades. Omits most tokens that never traded. */
export function lastTradesOf(
  { body, now }: SimulatedRequest,
  data: UpstreamData,
): SimulatedResponse {
  const found = readTokens(body, data, now);
  if ('status' in found) return found;
  const trades: WireObject[] = [];
  for (const outcome of found) {
    const { market } = outcome;
    const token_id = tokenOf(outcome);
    const trade = market.lastTrade(now);
    if (trade !== undefined) {
      const side = mix(market.key, 0x51de) % 2 === 0 ? 'BUY' : 'SELL';
      trades.push({ token_id, price: tradeText(outcome, trade), side });
    } else if (market.key % SIDELESS_EVERY === 0) {
      trades.push({ token_id, price: '0.5', side: '' });
    }
  }
  return json(200, trades);
}

/** The price of an outcome as histories show it, 0 to 1. */
export function priceOf({ market, outcome }: OutcomeOf, atMs: number): number {
  const price = market.price(atMs);
  return Number((outcome === 0 ? price : 1 - price).toFixed(6));
}

/** The best prices of an outcome, in ticks. */
function quoteOf({ market, outcome }: OutcomeOf, atMs: number): Quote {
  const quote = market.quote(atMs);
  return outcome === 0 ? quote : mirrored(quote, market.units);
}

function tokenOf({ market, outcome }: OutcomeOf): string {
  return market.tokens[outcome];
}

/** The last trade as text. @param trade a price of the first outcome */
function tradeText({ market, outcome }: OutcomeOf, trade: number): string {
  return (outcome === 0 ? trade : 1 - trade).toFixed(market.units > 1_000 ? 4 : 3);
}

/** The tokens that CLOB accepts in one call (docs/upstream.md). */
const MAX_TOKENS = 500;

/** The outcomes that have a book, or the rejection of a body that is not `[{"token_id":"…"}]`. */
function readTokens(
  body: unknown,
  { outcomes }: UpstreamData,
  now: number,
): OutcomeOf[] | SimulatedResponse {
  const entries: readonly { readonly token_id?: unknown }[] = Array.isArray(body) ? body : [{}];
  if (entries.length > MAX_TOKENS) return json(400, { error: 'Payload exceeds the limit' });
  if (entries.some((entry) => entry?.token_id === undefined))
    return json(400, { error: 'Invalid payload' });
  const named = new Set(entries.map(({ token_id }) => outcomes.get(String(token_id))));
  const known = [...named].filter((one) => one !== undefined);
  return known.filter(({ market }) => hasBook(market, now));
}

/** A book changes at least this often. Its `timestamp` is the last change. */
const CHANGE_EVERY_MS = 30_000;

/**
 * A book in CLOB's form: bids ascend, asks descend, the best level is last, and numbers are
 * strings. v2 books end with their version.
 */
function wireBook(one: OutcomeOf, nowMs: number): WireObject {
  const { market, outcome } = one;
  const { key, units } = market;
  const { bid, ask } = quoteOf(one, nowMs);
  const trade = market.lastTrade(nowMs);
  const changedAt = nowMs - ((nowMs + (key % CHANGE_EVERY_MS)) % CHANGE_EVERY_MS);
  // The outcomes share their orders: a bid of 0.30 for one is an ask of 0.70 for the other.
  const seed = mix(key, changedAt | 0);
  const bidDraw = new Draw(seed, outcome === 0 ? 'bids' : 'asks');
  const askDraw = new Draw(seed, outcome === 0 ? 'asks' : 'bids');
  const book = {
    market: market.conditionId,
    asset_id: tokenOf(one),
    timestamp: String(changedAt),
    hash: '',
    bids: bid === null ? [] : levels(bidDraw, bid, 'down', units),
    asks: ask === null ? [] : levels(askDraw, ask, 'up', units),
    min_order_size: '5',
    tick_size: String(1 / units),
    neg_risk: market.negRisk,
    last_trade_price: trade === undefined ? '' : tradeText(one, trade),
    ...(market.version === 'v2' ? { version: 'v2' } : {}),
  };
  // Upstream's rule: the SHA-1 of the compact JSON with an empty hash.
  return { ...book, hash: createHash('sha1').update(JSON.stringify(book)).digest('hex') };
}

/** The size of a level as CLOB writes it: 5 to 50,000 shares. */
export function sharesText(draw: Draw): string {
  return (5 * 10 ** draw.between(0, 4)).toFixed(draw.whole(0, 2));
}

/** The levels of one side. Real books have more, but no reader needs them. */
const MAX_LEVELS = 30;

/** The levels of a side, from worst to best. @param best the best price, in ticks */
function levels(
  draw: Draw,
  best: number,
  direction: 'up' | 'down',
  units: number,
): Record<'price' | 'size', string>[] {
  const count = draw.whole(3, MAX_LEVELS);
  const list: Record<'price' | 'size', string>[] = [];
  let ticks = best;
  while (list.length < count) {
    const isBeyondEnd = direction === 'up' ? ticks >= units : ticks < 1;
    if (isBeyondEnd) break;
    list.unshift({ price: String(Number((ticks / units).toFixed(4))), size: sharesText(draw) });
    // Most levels are a tick apart; some leave a gap.
    const gap = draw.pick([1, 1, 1, 2, 3, 7]);
    ticks += direction === 'up' ? gap : -gap;
  }
  return list;
}
