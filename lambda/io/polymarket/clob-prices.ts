/**
 * Prices of many tokens at once from CLOB, Polymarket's API for trading, for the refresher:
 *
 * - `sides`: the prices of the best bid and the best ask
 * - `lastTrades`: the price of the last trade
 * - `bestLevels`: as `sides`, and how many shares are on offer at these prices
 */
import {
  type BestLevels,
  type BookSides,
  bookSides,
  hasSide,
  type LastTrade,
} from '../../core/domain/quote.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { definedFields } from '../../core/domain/values.ts';
import type { Upstream } from '../upstream/client.ts';
import { asAmount, asObject, asPrice, asText } from './json-values.ts';

/** The tokens of a call of `sides`. It takes 500 items (docs/upstream.md): two for each token. */
export const SIDES_BATCH_TOKENS = 250;
/** The tokens of a call of `lastTrades`, which takes 500 items (docs/upstream.md). */
export const LAST_TRADES_BATCH_TOKENS = 500;
/** The tokens of a call of `bestLevels`. CLOB accepts 500, but 271 took 3.2 s (docs/upstream.md). */
export const BOOKS_BATCH_TOKENS = 100;

/**
 * With fewer tokens than this, missing books or trades do not make a response doubtful. The
 * refresher applies it to trades.
 */
export const MIN_TOKENS_TO_DOUBT = 20;

/** A run needs the sides, and repeats their calls. A call that timed out costs 5 s each time. */
const SIDES_RETRIES = { retries: 5, timeoutRetries: 3 } as const;
/** A run does without last trades after one retry. */
const LAST_TRADES_RETRIES = { retries: 1 } as const;

/** Reads prices from CLOB's batch routes (docs/upstream.md). */
export class ClobPrices {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * Best bid and ask by token. Tokens that CLOB omits are absent.
   *
   * @param tokens at most SIDES_BATCH_TOKENS
   * @throws UpstreamError. A response to `MIN_TOKENS_TO_DOUBT` tokens without any side is an error
   */
  sides(tokens: readonly string[], deadline: UnixMs): Promise<ReadonlyMap<string, BookSides>> {
    return this.#upstream.request({
      route: 'prices',
      path: '/prices',
      body: tokens.flatMap((token) => ['BUY', 'SELL'].map((side) => ({ token_id: token, side }))),
      parse: (body) => parseSides(body, tokens),
      deadline,
      ...SIDES_RETRIES,
    });
  }

  /**
   * Last trades by token. A token that was never traded is absent or without a price, as CLOB
   * sends it.
   *
   * @param tokens at most LAST_TRADES_BATCH_TOKENS
   * @throws UpstreamError
   */
  lastTrades(tokens: readonly string[], deadline: UnixMs): Promise<ReadonlyMap<string, LastTrade>> {
    return this.#upstream.request({
      route: 'last-trades-prices',
      path: '/last-trades-prices',
      body: tokens.map((token) => ({ token_id: token })),
      parse: (body) => parseLastTrades(body, tokens),
      deadline,
      ...LAST_TRADES_RETRIES,
    });
  }

  /**
   * Best levels by token, without retries. Books that CLOB omits are absent.
   *
   * @param tokens at most BOOKS_BATCH_TOKENS
   * @throws UpstreamError
   */
  bestLevels(
    tokens: readonly string[],
    deadline: UnixMs,
  ): Promise<ReadonlyMap<string, BestLevels>> {
    return this.#upstream.request({
      route: 'books',
      path: '/books',
      body: tokens.map((token) => ({ token_id: token })),
      parse: (body) => parseLevels(body, tokens),
      deadline,
    });
  }
}

/**
 * Reads the sides of a response: `{"<token>": {"BUY": "0.51", "SELL": "0.52"}, …}`. `BUY` is the best
 * bid, `SELL` the best ask. Tokens can be missing.
 *
 * @returns undefined if the response is not usable
 */
function parseSides(
  body: unknown,
  tokens: readonly string[],
): ReadonlyMap<string, BookSides> | undefined {
  const prices = asObject(body);
  if (!prices) return undefined;
  const found = new Map<string, BookSides>();
  for (const token of tokens) {
    const sides = asObject(prices[token]);
    if (sides) found.set(token, bookSides(asPrice(sides.BUY), asPrice(sides.SELL)));
  }
  const hasPrices = [...found.values()].some(hasSide);
  return hasPrices || tokens.length < MIN_TOKENS_TO_DOUBT ? found : undefined;
}

/**
 * Reads the last trades of a response. For a token without trades, CLOB omits the item, or sends
 * the price 0.5 and an empty `side`.
 */
function parseLastTrades(
  body: unknown,
  tokens: readonly string[],
): ReadonlyMap<string, LastTrade> | undefined {
  if (!Array.isArray(body)) return undefined;
  const requested = new Set(tokens);
  const trades = new Map<string, LastTrade>();
  for (const item of body.map(asObject)) {
    const token = asText(item?.token_id) ?? '';
    if (!requested.has(token)) continue;
    const wasTraded = asText(item?.side) !== undefined;
    const price = asPrice(item?.price);
    trades.set(token, wasTraded && price ? { price } : {});
  }
  return trades;
}

/** The best levels of the requested books. @returns undefined if the body is not a list */
function parseLevels(
  body: unknown,
  tokens: readonly string[],
): ReadonlyMap<string, BestLevels> | undefined {
  if (!Array.isArray(body)) return undefined;
  const requested = new Set(tokens);
  const levels = new Map<string, BestLevels>();
  for (const book of body.map(asObject)) {
    const token = asText(book?.asset_id) ?? '';
    if (!requested.has(token)) continue;
    const bid = bestOf(book?.bids, 'highest');
    const ask = bestOf(book?.asks, 'lowest');
    const best = {
      bestBid: bid?.price,
      bidSize: bid?.size,
      bestAsk: ask?.price,
      askSize: ask?.size,
    };
    levels.set(token, definedFields<BestLevels>(best));
  }
  return levels;
}

/** A price of a book in USD, and its shares. */
interface PriceLevel {
  readonly price: number;
  readonly size: number;
}

/**
 * The best level of a side, in whatever order CLOB sends the levels.
 *
 * @returns undefined for a side without levels
 */
function bestOf(side: unknown, wanted: 'highest' | 'lowest'): PriceLevel | undefined {
  let best: PriceLevel | undefined;
  for (const level of Array.isArray(side) ? side.map(asObject) : []) {
    const price = asPrice(level?.price);
    const size = asAmount(level?.size);
    // A level without shares is not a level.
    if (price === undefined || !size) continue;
    const isBetter = !best || (wanted === 'highest' ? price > best.price : price < best.price);
    if (isBetter) best = { price, size };
  }
  return best;
}
