import { paddedConditionId } from '../../../../lambda/core/domain/ids.ts';
import type { CatalogueMarket, CatalogueRecord } from '../../../../lambda/core/domain/market.ts';
import type { BookSides } from '../../../../lambda/core/domain/quote.ts';
import { withoutPrices } from '../../../../lambda/jobs/refresh/prices.ts';
import { type MarketOverrides, testMarket } from '../../../support/markets.ts';

/** A market as the catalogue describes it; the higher `n`, the lower its volume. */
export function catalogueMarket(n: number, overrides: MarketOverrides = {}): CatalogueMarket {
  return withoutPrices(testMarket(n, overrides));
}

/** A book whose middle is this price. */
export function bookAround(price: number): BookSides {
  return { bid: Number((price - 0.01).toFixed(4)), ask: Number((price + 0.01).toFixed(4)) };
}

export function catalogueMarkets(count: number): CatalogueMarket[] {
  return Array.from({ length: count }, (_, n) => catalogueMarket(n));
}

export function listable(market: CatalogueMarket): CatalogueRecord {
  return { kind: 'listable', id: paddedConditionId(market.id), market };
}

/** The records in an order that has nothing to do with volumes. */
export function shuffled(records: readonly CatalogueRecord[]): CatalogueRecord[] {
  const rank = ({ id }: CatalogueRecord) => (Number(id) * 7_919) % 1_009;
  return records.toSorted((a, b) => rank(a) - rank(b));
}
