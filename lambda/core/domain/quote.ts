/**
 * The quote of a market: the best bid and ask of its order book with their sizes, the spread, and
 * the last trade. Prices are those of YES, 0 to 1.
 */
import type { Market } from './market.ts';
import { definedFields } from './values.ts';

/** The best prices of a book, between 0 and 1. An empty side is absent. */
export interface BookSides {
  readonly bid?: number;
  readonly ask?: number;
}

/**
 * The last trade, as CLOB (Polymarket's API of order books) returns it. `{}`: no trade is known.
 */
export interface LastTrade {
  readonly price?: number;
}

/** Best prices of a book, and the shares at them. */
export type BestLevels = Pick<Market, 'bestBid' | 'bidSize' | 'bestAsk' | 'askSize'>;

/** The public fields of a quote, without sizes. */
export const QUOTE_FIELDS = ['bestBid', 'bestAsk', 'spread', 'lastTradePrice'] as const;
export type QuoteField = (typeof QUOTE_FIELDS)[number];

/**
 * The widest spread of a tight book: 0.10, as on Polymarket's site. The number is in
 * ten-thousandths, the finest price step, because in binary 0.8 − 0.7 exceeds 0.1.
 */
const MAX_TIGHT_SPREAD = 1_000;

/** The sides of a book. Drops a price that is not between 0 and 1. Swaps crossed sides. */
export function bookSides(bid: number | undefined, ask: number | undefined): BookSides {
  const low = pricedSide(bid);
  const high = pricedSide(ask);
  const isCrossed = low !== undefined && high !== undefined && low > high;
  return definedFields<BookSides>({ bid: isCrossed ? high : low, ask: isCrossed ? low : high });
}

/** The price of a side; undefined if it is not between 0 and 1. */
function pricedSide(price: number | undefined): number | undefined {
  return price !== undefined && price > 0 && price < 1 ? price : undefined;
}

/** Whether a book has a bid or an ask. */
export function hasSide({ bid, ask }: BookSides): boolean {
  return bid !== undefined || ask !== undefined;
}

/**
 * The middle of a tight book: its spread is at most 0.10, and it has at least one side. A missing
 * bid counts as 0, a missing ask as 1.
 */
export function midpointOf(sides: BookSides): number | undefined {
  const { bid = 0, ask = 1 } = sides;
  const isTight = hasSide(sides) && Math.round((ask - bid) * 10_000) <= MAX_TIGHT_SPREAD;
  return isTight ? Number(((bid + ask) / 2).toFixed(6)) : undefined;
}

/** The price, moved to the nearer side if it lies outside of the book's sides. */
export function withinSides(price: number, { bid = 0, ask = 1 }: BookSides): number {
  return Math.min(Math.max(price, bid), ask);
}

/** The public fields of the sides and the last trade. */
export function quoteOf(sides: BookSides, lastTrade: number | undefined): Pick<Market, QuoteField> {
  const { bid, ask } = sides;
  const spread = hasSide(sides) ? Number(((ask ?? 1) - (bid ?? 0)).toFixed(4)) : undefined;
  return definedFields<Pick<Market, QuoteField>>({
    bestBid: bid,
    bestAsk: ask,
    spread,
    lastTradePrice: lastTrade,
  });
}

/**
 * The shares at the best prices of a book. Prices and sizes come from two calls, so a size counts
 * only if its call returned the same best price.
 *
 * @param sides of the call for prices
 * @param levels of the call for sizes
 */
export function sizesAt(sides: BookSides, levels: BestLevels): Pick<Market, 'bidSize' | 'askSize'> {
  return definedFields<Pick<Market, 'bidSize' | 'askSize'>>({
    bidSize: sides.bid === levels.bestBid ? levels.bidSize : undefined,
    askSize: sides.ask === levels.bestAsk ? levels.askSize : undefined,
  });
}
