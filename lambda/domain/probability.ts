import type { CatalogueMarket } from './market.ts';
import { roundTo3 } from './values.ts';

/** Beyond this spread the midpoint is not reliable. Polymarket's own site then shows the last trade. */
const WIDE_SPREAD = 0.1;
/** The midpoint that upstream returns for a book without any order (docs/upstream.md). */
const EMPTY_BOOK_MIDPOINT = 0.5;

/** The prices of YES that the catalogue gives, 0–1. */
export type CataloguePrices = Pick<
  CatalogueMarket,
  'spread' | 'bestBid' | 'bestAsk' | 'lastTradePrice' | 'cataloguePrice'
>;

/**
 * The midpoint unless it may be that of an empty book: 0.5 counts only where the catalogue has both a bid and an ask.
 *
 * @param midpoint of the YES token, 0–1; undefined where CLOB gave none
 */
export function usableMidpoint(market: CataloguePrices, midpoint: number | undefined): number | undefined {
  return midpoint === EMPTY_BOOK_MIDPOINT && !hasBothSides(market) ? undefined : midpoint;
}

/** The middle of the catalogue's bid and ask, where both sides exist and are close enough to mean something. */
export function catalogueMidpoint(market: CataloguePrices): number | undefined {
  const { bestBid, bestAsk } = market;
  if (bestBid === undefined || bestAsk === undefined || !hasBothSides(market)) return undefined;
  const spread = Number((bestAsk - bestBid).toFixed(4));
  return spread < 0 || spread > WIDE_SPREAD ? undefined : Number(((bestBid + bestAsk) / 2).toFixed(6));
}

function hasBothSides({ bestBid = 0, bestAsk = 1 }: CataloguePrices): boolean {
  return bestBid > 0 && bestAsk < 1;
}

/**
 * The YES probability in percent with 3 decimals: the midpoint; the last trade where the spread is wider than 0.10 or
 * the midpoint is that of an empty book; the catalogue's outcome price where there is neither; and the last trade where
 * there is nothing else.
 *
 * @param midpoint of the YES token, 0–1, before `usableMidpoint`; undefined where there is none
 * @returns undefined when no price is known: such a market cannot be listed
 */
export function currentProbability(market: CataloguePrices, midpoint: number | undefined): number | undefined {
  const { lastTradePrice, cataloguePrice, spread } = market;
  const usable = usableMidpoint(market, midpoint);
  const wide = spread !== undefined && Number(spread.toFixed(4)) > WIDE_SPREAD;
  const empty = midpoint !== undefined && usable === undefined;
  const price = (wide || empty ? lastTradePrice : undefined) ?? usable ?? cataloguePrice ?? lastTradePrice;
  return price === undefined ? undefined : roundTo3(price * 100);
}

/** Whether the catalogue gives any price of a market; the order book may have one all the same. */
export function hasPriceSignal(market: CataloguePrices): boolean {
  const { bestBid, bestAsk, lastTradePrice, cataloguePrice, spread } = market;
  return [bestBid, bestAsk, lastTradePrice, cataloguePrice, spread].some((price) => price !== undefined);
}
