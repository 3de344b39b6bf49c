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

/** The tokens of a call for sides. It takes 500 items (docs/upstream.md): one per side. */
export const SIDES_BATCH_TOKENS = 250;
/** The tokens of a call for last trades, which takes 500 items (docs/upstream.md). */
export const LAST_TRADES_BATCH_TOKENS = 500;
/** The tokens of a call for books. CLOB accepts 500, but 271 took 3.2 s (docs/upstream.md). */
export const BOOKS_BATCH_TOKENS = 100;

/** With fewer tokens than this, missing books or trades do not make a response doubtful. */
export const MIN_TOKENS_TO_DOUBT = 20;

/** A run needs the sides, and repeats their calls. A call that timed out costs 5 s each time. */
const SIDES_RETRIES = { retries: 5, timeoutRetries: 3 } as const;
/** A run does without last trades after one retry. */
const LAST_TRADES_RETRIES = { retries: 1 } as const;

/** Reads prices of many tokens from CLOB's batch routes (docs/upstream.md). */
export class ClobPrices {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * Best bid and ask by token. Tokens that CLOB omits are absent.
   *
   * @param tokens at most SIDES_BATCH_TOKENS
   * @throws UpstreamError, even for a response without any side for `MIN_TOKENS_TO_DOUBT` tokens
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
   * Last trades by token; without a price for tokens that were never traded.
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
 * Reads the sides of a response. CLOB's `BUY` is the best bid, `SELL` the best ask. Tokens can be
 * missing.
 *
 * @returns undefined if the response is not usable
 */
function parseSides(
  body: unknown,
  tokens: readonly string[],
): ReadonlyMap<string, BookSides> | undefined {
  const prices = asObject(body);
  if (!prices) return undefined;
  const sides = tokens.flatMap((token): [string, BookSides][] => {
    const both = asObject(prices[token]);
    return both ? [[token, bookSides(asPrice(both.BUY), asPrice(both.SELL))]] : [];
  });
  const isDoubtful = tokens.length >= MIN_TOKENS_TO_DOUBT && !sides.some(([, one]) => hasSide(one));
  return isDoubtful ? undefined : new Map(sides);
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
    const price = asPrice(item?.price);
    const isTrade = asText(item?.side) !== undefined && price;
    if (requested.has(token)) trades.set(token, isTrade ? { price } : {});
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
  const books = body.map(asObject).map((book): [string, BestLevels] => {
    const bid = bestOf(book?.bids, (price, best) => price > best);
    const ask = bestOf(book?.asks, (price, best) => price < best);
    const levels = definedFields<BestLevels>({
      bestBid: bid?.price,
      bidSize: bid?.size,
      bestAsk: ask?.price,
      askSize: ask?.size,
    });
    return [asText(book?.asset_id) ?? '', levels];
  });
  return new Map(books.filter(([token]) => requested.has(token)));
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
function bestOf(
  side: unknown,
  isBetter: (price: number, best: number) => boolean,
): PriceLevel | undefined {
  let best: PriceLevel | undefined;
  for (const level of Array.isArray(side) ? side.map(asObject) : []) {
    const price = asPrice(level?.price);
    const size = asAmount(level?.size);
    // A level without shares is not a level.
    if (price === undefined || !size) continue;
    if (!best || isBetter(price, best.price)) best = { price, size };
  }
  return best;
}
