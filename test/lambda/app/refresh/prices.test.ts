import { expect, it } from '@jest/globals';
import { previousPrices, priceMarkets } from '../../../../lambda/app/refresh/prices.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { testMarket } from '../../../support/markets.ts';
import { catalogueMarket } from './refresh-fakes.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00Z');
const timeOf = (ageMs: number) => new Date(AS_OF - ageMs).toISOString();

/** With a market of the snapshot that was published `ageMs` ago, and that nobody has read since. */
function priceUnread(ageMs: number, market: Market) {
  const previous = previousPrices({ info: { asOf: AS_OF - ageMs }, markets: [market] });
  const read = { sides: new Map(), lastTrades: new Map(), asOf: AS_OF, catalogueAt: AS_OF - 700_000 };
  const { priced, tooOld } = priceMarkets([catalogueMarket(0)], { ...read, previous });
  return { market: priced[0], tooOld: [...tooOld] };
}

it('an unread price keeps its time for ten minutes, whatever the age of the snapshot is', () => {
  const listed = testMarket(0, { midpoint: 0.9, currentProbability: 90 });
  const carried = { currentProbability: 90, midpoint: 0.9, priceSource: 'carried', pricedAt: timeOf(600_000) };
  expect(priceUnread(600_000, listed).market).toMatchObject(carried);
  const old = { market: undefined, tooOld: [listed.clobTokenId] };
  expect(priceUnread(600_001, listed)).toEqual(old);
  expect(priceUnread(60_000, { ...listed, pricedAt: timeOf(600_001) })).toEqual(old);
});
