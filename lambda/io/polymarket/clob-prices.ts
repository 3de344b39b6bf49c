import { type BookSides, bookSides, hasSide, type LastTrade } from '../../core/domain/price.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { Upstream } from '../upstream/client.ts';
import { asObject, asPrice, asText } from './json-values.ts';

/** A call takes 500 items (docs/upstream.md); a token needs one per side. */
export const SIDES_BATCH_TOKENS = 250;
export const LAST_TRADES_BATCH_TOKENS = 500;

/** With fewer tokens than this, missing books or trades do not make a response doubtful. */
export const MIN_TOKENS_TO_DOUBT = 20;

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
      retries: 5,
      timeoutRetries: 3,
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
      retries: 1,
    });
  }
}

/** CLOB's `BUY` is the best bid, `SELL` the best ask. Tokens can be missing. */
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

/** For a token without trades, CLOB omits the item, or sends the price 0.5 and an empty `side`. */
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
