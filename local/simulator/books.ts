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

/** The tokens that CLOB accepts in one call (docs/upstream.md). */
const MAX_TOKENS = 500;
/** A book changes at least this often. Its `timestamp` is the last change. */
const CHANGE_EVERY_MS = 30_000;
/** The levels of one side. Real books have more, but no reader needs them. */
const MAX_LEVELS = 30;
/** One in this many markets without trades returns a default trade: 0.5 without a side. */
const SIDELESS_EVERY = 3;

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
  const prices = found.map((outcome) => {
    const token = tokenOf(outcome);
    const { bid, ask } = quoteOf(outcome, now);
    const sides = Object.entries({ BUY: bid, SELL: ask })
      .filter(([side]) => requested.has(`${token} ${side}`))
      .map(([side, ticks]) => [side, String((ticks ?? 0) / outcome.market.units)]);
    return [token, Object.fromEntries(sides)];
  });
  return json(200, Object.fromEntries(prices));
}

/** `POST /last-trades-prices`: the last trades. Omits most tokens that never traded. */
export function lastTradesOf(
  { body, now }: SimulatedRequest,
  data: UpstreamData,
): SimulatedResponse {
  const found = readTokens(body, data, now);
  if ('status' in found) return found;
  const trades = found.flatMap((outcome) => {
    const { market } = outcome;
    const trade = market.lastTrade(now);
    const token_id = tokenOf(outcome);
    if (trade === undefined)
      return market.key % SIDELESS_EVERY === 0 ? [{ token_id, price: '0.5', side: '' }] : [];
    const side = mix(market.key, 0x51de) % 2 === 0 ? 'BUY' : 'SELL';
    return [{ token_id, price: tradeText(outcome, trade), side }];
  });
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
  const found = [...new Set(entries.map(({ token_id }) => outcomes.get(String(token_id))))];
  return found.filter((one) => one !== undefined && hasBook(one.market, now)) as OutcomeOf[];
}

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
  // An ask of one outcome is a bid of the other.
  const draw = (side: 0 | 1): Draw =>
    new Draw(mix(key, changedAt | 0), (side + outcome) % 2 === 0 ? 'bids' : 'asks');
  const book = {
    market: market.conditionId,
    asset_id: tokenOf(one),
    timestamp: String(changedAt),
    hash: '',
    bids: bid === null ? [] : levels(draw(0), bid, (ticks) => ticks / units),
    asks: ask === null ? [] : levels(draw(1), units - ask, (ticks) => (units - ticks) / units),
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

/**
 * The levels of a side, from worst to best.
 *
 * @param best the best level, in ticks from the empty end of the book
 * @param price makes a price from such a number of ticks
 */
function levels(
  draw: Draw,
  best: number,
  price: (ticks: number) => number,
): Record<'price' | 'size', string>[] {
  const count = draw.whole(3, MAX_LEVELS);
  const list: Record<'price' | 'size', string>[] = [];
  let ticks = best;
  while (ticks >= 1 && list.length < count) {
    list.unshift({ price: String(Number(price(ticks).toFixed(4))), size: sharesText(draw) });
    // Most levels are a tick apart; some leave a gap.
    ticks -= draw.pick([1, 1, 1, 2, 3, 7]);
  }
  return list;
}
