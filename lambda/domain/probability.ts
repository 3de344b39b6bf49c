import type { CatalogueMarket } from './market.ts';
import { roundTo3 } from './numbers.ts';

/** Spreads wider than this make the midpoint meaningless; the provider's own site shows the last trade then. */
const WIDE_SPREAD = 0.1;
/** The midpoint that the upstream gives of a book without any order (upstream.md). */
const EMPTY_BOOK_MIDPOINT = 0.5;

/** What the prices of a market are made of, 0..1 and of YES. */
export type PriceFacts = Pick<
  CatalogueMarket,
  'spread' | 'bestBid' | 'bestAsk' | 'lastTradePrice' | 'outcomePrice'
>;

/**
 * The midpoint, unless it may be that of an empty book: 0.5 is believed where the catalogue knows a bid and an ask.
 *
 * @param midpoint of the YES token, 0..1; undefined where CLOB gave none
 */
export function believedMidpoint(market: PriceFacts, midpoint: number | undefined): number | undefined {
  return midpoint === EMPTY_BOOK_MIDPOINT && !hasBothSides(market) ? undefined : midpoint;
}

function hasBothSides({ bestBid = 0, bestAsk = 1 }: PriceFacts): boolean {
  return bestBid > 0 && bestAsk < 1;
}

/**
 * The YES probability in percent with 3 decimals (design 2.1): the midpoint; the last trade where the spread is
 * wider than 0.10, or the midpoint that of an empty book; the catalogue's outcome price where there is neither, and
 * the last trade where there is nothing else.
 *
 * @param midpoint of the YES token, 0..1; undefined where CLOB gave none
 * @returns undefined when nobody has a price: such a market cannot be listed
 */
export function currentProbability(market: PriceFacts, midpoint: number | undefined): number | undefined {
  const { lastTradePrice, outcomePrice, spread } = market;
  const believed = believedMidpoint(market, midpoint);
  const wide = spread !== undefined && Number(spread.toFixed(4)) > WIDE_SPREAD;
  const empty = midpoint !== undefined && believed === undefined;
  const price = (wide || empty ? lastTradePrice : undefined) ?? believed ?? outcomePrice ?? lastTradePrice;
  return price === undefined ? undefined : roundTo3(price * 100);
}

/** Whether the catalogue gives any sign that a market has a price; the order book may know one all the same. */
export function hintsAtPrice(market: PriceFacts): boolean {
  const { bestBid, bestAsk, lastTradePrice, outcomePrice, spread } = market;
  return [bestBid, bestAsk, lastTradePrice, outcomePrice, spread].some((price) => price !== undefined);
}
