import type { Market } from '../../lambda/domain/market.ts';
import { marketDetails } from '../../lambda/domain/market-details.ts';
import type { SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import { catalogueMarket } from './catalogue-market.ts';

export function snapshotEntry(n: number, overrides: Partial<Market> = {}): SnapshotEntry {
  const catalogued = catalogueMarket(n, { tags: ['politics'] });
  const { id, question, slug, volume, liquidity, endDate, yesTokenId } = catalogued;
  return {
    market: {
      id,
      question,
      slug: slug ?? '',
      currentProbability: 45,
      volume,
      liquidity,
      oneDayPriceChange: -1.5,
      endDate,
      clobTokenId: yesTokenId,
      ...overrides,
    },
    facets: marketDetails(catalogued, 45),
  };
}
