import { describe, expect, it } from '@jest/globals';
import { previousPrices, priceMarkets } from '../../../../lambda/app/refresh/prices.ts';
import type { CatalogueMarket } from '../../../../lambda/core/domain/market.ts';
import type { BookSides } from '../../../../lambda/core/domain/price.ts';
import { testMarket } from '../../../support/markets.ts';
import { catalogueMarket } from './refresh-fakes.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00Z');
const NOTHING_READ = { lastTrades: new Map(), asOf: AS_OF, catalogueAt: AS_OF - 700_000, previous: new Map() };

function priceOne(market: CatalogueMarket, sides: BookSides | undefined, previous = previousPrices(undefined)) {
  const read = new Map(sides && [[market.clobTokenId, sides]]);
  const { priced, tooOld } = priceMarkets([market], { ...NOTHING_READ, sides: read, previous });
  return { market: priced[0], tooOld: [...tooOld] };
}

describe('markets with prices', () => {
  it('have the probability in percent with three decimals, for both outcomes', () => {
    const { market } = priceOne(catalogueMarket(0), { bid: 0.1234, ask: 0.1235 });
    expect(market).toMatchObject({ currentProbability: 12.345, midpoint: 0.12345, bestBid: 0.1234, spread: 0.0001 });
    expect(market?.outcomes.map(({ probability }) => probability)).toEqual([12.345, 87.655]);
    expect(market).not.toHaveProperty('pricedAt');
  });

  it('keep an unread price with its time for ten minutes, whatever the age of the snapshot is', () => {
    const listed = testMarket(0, { midpoint: 0.9, currentProbability: 90 });
    const previous = (age: number, market = listed) =>
      previousPrices({ info: { asOf: AS_OF - age }, markets: [market] });
    const pricedAt = new Date(AS_OF - 600_000).toISOString();
    expect(priceOne(catalogueMarket(0), undefined, previous(600_000)).market).toMatchObject({
      currentProbability: 90,
      midpoint: 0.9,
      priceSource: 'carried',
      pricedAt,
    });
    const old = { market: undefined, tooOld: [listed.clobTokenId] };
    expect(priceOne(catalogueMarket(0), undefined, previous(600_001))).toEqual(old);
    const carried = { ...listed, pricedAt: new Date(AS_OF - 600_001).toISOString() };
    expect(priceOne(catalogueMarket(0), undefined, previous(60_000, carried))).toEqual(old);
  });
});
