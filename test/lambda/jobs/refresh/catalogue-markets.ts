import { paddedConditionId } from '../../../../lambda/core/domain/ids.ts';
import type { CatalogueMarket, CatalogueRecord } from '../../../../lambda/core/domain/market.ts';
import type { BookSides } from '../../../../lambda/core/domain/quote.ts';
import { withoutPrices } from '../../../../lambda/jobs/refresh/prices.ts';
import { type MarketOverrides, testMarket } from '../../../support/markets.ts';

/*
 * What the refresher reads from Polymarket: markets of the catalogue, their records on a page, and
 * the books of their tokens.
 */

/** A market as the catalogue describes it. Its volume is 1,000,000 - `n` USD. */
export function catalogueMarket(n: number, overrides: MarketOverrides = {}): CatalogueMarket {
  return withoutPrices(testMarket(n, overrides));
}

export function catalogueMarkets(count: number): CatalogueMarket[] {
  return Array.from({ length: count }, (_, n) => catalogueMarket(n));
}

/** A book whose middle is this price: for 0.5, a bid of 0.49 and an ask of 0.51. */
export function bookAround(price: number): BookSides {
  return { bid: Number((price - 0.01).toFixed(4)), ask: Number((price + 0.01).toFixed(4)) };
}

/** The record of a market that can be listed. */
export function listable(market: CatalogueMarket): CatalogueRecord {
  return { kind: 'listable', id: paddedConditionId(market.id), market };
}

/** The records in an order that has nothing to do with volumes. */
export function shuffled(records: readonly CatalogueRecord[]): CatalogueRecord[] {
  const rank = ({ id }: CatalogueRecord) => (Number(id) * 7_919) % 1_009;
  return records.toSorted((a, b) => rank(a) - rank(b));
}
