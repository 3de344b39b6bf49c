import type { CatalogueMarket } from './market.ts';
import { roundTo2 } from './numbers.ts';

/** Spreads wider than this make the midpoint meaningless; the provider's own site shows the last trade then. */
const WIDE_SPREAD = 0.1;

/**
 * The YES probability in percent with 2 decimals (design 2.1): the midpoint; the last trade where the spread is
 * wider than 0.10; the catalogue's outcome price where the order book has no midpoint.
 *
 * @param midpoint of the YES token, 0..1; undefined where CLOB gave none
 * @returns undefined when nobody has a price: such a market cannot be listed
 */
export function currentProbability(
  market: CatalogueMarket,
  midpoint: number | undefined,
): number | undefined {
  const wide = market.spread !== undefined && Number(market.spread.toFixed(4)) > WIDE_SPREAD;
  const price = (wide ? market.lastTradePrice : undefined) ?? midpoint ?? market.outcomePrice;
  return price === undefined ? undefined : roundTo2(price * 100);
}
