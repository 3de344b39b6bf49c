import { describe, expect, it } from '@jest/globals';
import type { Market, MarketDetails } from '../../../../lambda/domain/market.ts';
import { repriced } from '../../../../lambda/domain/reprice.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

/** A market at 45 %, whose book stood at 0.45. */
function entryWith(
  market: Partial<Market> = {},
  facets: Partial<MarketDetails> = {},
  midpoint: number | undefined = 0.45,
): SnapshotEntry {
  const entry = snapshotEntry(1, { oneDayPriceChange: -1.5, ...market });
  return {
    ...entry,
    facets: { ...entry.facets, ...facets },
    ...(midpoint === undefined ? {} : { midpoint }),
  };
}

describe('a market at a new midpoint', () => {
  it('has its price, and keeps the facts of the catalogue', () => {
    const entry = entryWith();
    const { market, facets, midpoint } = repriced(entry, 0.5);
    expect(market).toEqual({ ...entry.market, currentProbability: 50, oneDayPriceChange: 3.5 });
    expect(facets).toEqual({
      ...entry.facets,
      outcomes: [
        { ...entry.facets.outcomes[0], probability: 50 },
        { ...entry.facets.outcomes[1], probability: 50 },
      ],
    });
    expect(midpoint).toBe(0.5);
  });

  it('moves each change by as much as the midpoint', () => {
    const entry = entryWith({ oneDayPriceChange: -1.5, sevenDayPriceChange: 0, thirtyDayPriceChange: 20 });
    expect(repriced(entry, 0.43).market).toMatchObject({
      oneDayPriceChange: -3.5,
      sevenDayPriceChange: -2,
      thirtyDayPriceChange: 18,
    });
  });

  it('has no change over a window where it had none', () => {
    const { market } = repriced(entryWith({ oneDayPriceChange: null, thirtyDayPriceChange: 1 }), 0.5);
    expect(market).toMatchObject({ oneDayPriceChange: null, thirtyDayPriceChange: 6 });
    expect(market).not.toHaveProperty('sevenDayPriceChange');
  });

  it('has no change where its midpoint before is not known', () => {
    const entry = entryWith({ sevenDayPriceChange: 1, thirtyDayPriceChange: 1 });
    const { midpoint: _, ...unknown } = entry;
    const { market, midpoint } = repriced(unknown, 0.5);
    expect(market).toEqual({ ...snapshotEntry(1).market, currentProbability: 50, oneDayPriceChange: null });
    expect(midpoint).toBe(0.5);
  });

  it('is the last trade at a wide spread; its change is still that of the midpoint', () => {
    const { market } = repriced(entryWith({}, { spread: 0.2, lastTradePrice: 0.6 }), 0.5);
    expect(market).toMatchObject({ currentProbability: 60, oneDayPriceChange: 3.5 });
  });
});

describe('a market whose book gives no midpoint', () => {
  it('keeps the price that it had, and no change is known', () => {
    const { market, facets, ...rest } = repriced(entryWith({ sevenDayPriceChange: 1 }), undefined);
    expect(market).toMatchObject({ currentProbability: 45, oneDayPriceChange: null });
    expect(market).not.toHaveProperty('sevenDayPriceChange');
    expect(facets.outcomes.map(({ probability }) => probability)).toEqual([45, 55]);
    expect(rest).toEqual({});
  });

  it('is the last trade at a wide spread', () => {
    const { market } = repriced(entryWith({}, { spread: 0.2, lastTradePrice: 0.6 }), undefined);
    expect(market.currentProbability).toBe(60);
  });

  it('is what a book at 0.5 may be, where the catalogue knows no bid: empty', () => {
    const entry = repriced(entryWith({}, { bestBid: 0, lastTradePrice: 0.3 }), 0.5);
    expect(entry.market).toMatchObject({ currentProbability: 30, oneDayPriceChange: null });
    expect(entry).not.toHaveProperty('midpoint');
  });
});
