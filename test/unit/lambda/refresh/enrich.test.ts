import { describe, expect, it } from '@jest/globals';
import type { ChangeWindow } from '../../../../lambda/domain/change.ts';
import type { CatalogueMarket } from '../../../../lambda/domain/market.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { enrich } from '../../../../lambda/refresh/enrich.ts';
import type { Baseline, PriceMemory } from '../../../../lambda/refresh/ports.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { catalogueMarket, UNPRICED } from '../../../support/catalogue-market.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { fakeMemory } from './fake-upstreams.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const BASELINES: Readonly<Record<ChangeWindow, Baseline>> = {
  oneDay: { price: 0.4, own: true },
  sevenDay: { price: 0.3, own: true },
  thirtyDay: { price: 0.2, own: false },
};

interface Options {
  readonly carried?: readonly SnapshotEntry[];
  readonly midpoints?: readonly (readonly [CatalogueMarket, number])[];
  readonly baseline?: PriceMemory['baseline'];
}

function enriched(markets: readonly CatalogueMarket[], options: Options = {}) {
  const { carried = [], midpoints = markets.map((market) => [market, 0.5] as const) } = options;
  const report = new RunReport();
  const memory = fakeMemory({ baseline: options.baseline ?? ((_, window) => BASELINES[window]) });
  const byToken = new Map(midpoints.map(([{ yesTokenId }, midpoint]) => [yesTokenId, midpoint]));
  return { entries: enrich(markets, carried, byToken, memory, NOW, report), report };
}

describe('a market of the catalogue', () => {
  const market = catalogueMarket(1);

  it('becomes a public one, with its price, its changes and its details', () => {
    const [entry] = enriched([market]).entries;
    expect(entry?.market).toEqual({
      id: market.id,
      question: market.question,
      slug: market.slug,
      currentProbability: 50,
      volume: market.volume,
      liquidity: market.liquidity,
      oneDayPriceChange: 10,
      sevenDayPriceChange: 20,
      thirtyDayPriceChange: 30,
      endDate: market.endDate,
      clobTokenId: market.yesTokenId,
    });
    expect(entry?.facets.outcomes.map(({ probability }) => probability)).toEqual([50, 50]);
    expect(entry?.midpoint).toBe(0.5);
  });

  it('is asked about at the time of the prices', () => {
    const asked: unknown[] = [];
    enriched([market], { baseline: (...what) => void asked.push(what) });
    expect(asked).toEqual(
      ['oneDay', 'sevenDay', 'thirtyDay'].map((window) => [market.yesTokenId, window, NOW]),
    );
  });

  it('has a null for an unknown day, and nothing for unknown weeks', () => {
    const [entry] = enriched([market], { baseline: () => undefined }).entries;
    expect(entry?.market.oneDayPriceChange).toBeNull();
    expect(entry?.market).not.toHaveProperty('sevenDayPriceChange');
    expect(entry?.market).not.toHaveProperty('thirtyDayPriceChange');
  });

  it('has the price of the catalogue and no changes where the order book gives none', () => {
    const { entries, report } = enriched([market, catalogueMarket(2)], { midpoints: [[market, 0.5]] });
    expect(entries[1]?.market).toMatchObject({ currentProbability: 45, oneDayPriceChange: null });
    expect(entries[1]).not.toHaveProperty('midpoint');
    expect(report.cataloguePriced).toBe(1);
  });

  it('is skipped where nobody has a price, which is counted as that', () => {
    const { entries, report } = enriched([catalogueMarket(1, UNPRICED), catalogueMarket(2)], {
      midpoints: [],
    });
    expect(entries.map(({ market: { id } }) => Number(id))).toEqual([2]);
    expect(report).toMatchObject({ skipped: { price: 1 }, cataloguePriced: 1 });
  });
});

describe('a market that is carried over', () => {
  const twelve = catalogueMarket(12);
  const carried: SnapshotEntry = {
    ...snapshotEntry(12, { sevenDayPriceChange: -5, thirtyDayPriceChange: -6 }),
    midpoint: 0.45,
  };

  it('keeps its facts, and has a new price and the changes that the memory knows', () => {
    const { entries, report } = enriched([], { carried: [carried], midpoints: [[twelve, 0.5]] });
    expect(entries).toMatchObject([
      {
        market: {
          ...carried.market,
          currentProbability: 50,
          oneDayPriceChange: 10,
          sevenDayPriceChange: 20,
          thirtyDayPriceChange: 30,
        },
        midpoint: 0.5,
      },
    ]);
    expect(entries[0]?.facets.outcomes[0]?.probability).toBe(50);
    expect(report.cataloguePriced).toBe(0);
  });

  it('keeps no change that the memory does not know any more', () => {
    const [entry] = enriched([], {
      carried: [carried],
      midpoints: [[twelve, 0.5]],
      baseline: () => undefined,
    }).entries;
    expect(entry?.market.oneDayPriceChange).toBeNull();
    expect(entry?.market).not.toHaveProperty('sevenDayPriceChange');
    expect(entry?.market).not.toHaveProperty('thirtyDayPriceChange');
  });

  it('keeps the price that it had, without changes, where the order book gives none', () => {
    const { entries, report } = enriched([], { carried: [carried], midpoints: [] });
    expect(entries[0]?.market).toMatchObject({ currentProbability: 45, oneDayPriceChange: null });
    expect(entries[0]).not.toHaveProperty('midpoint');
    expect(report.cataloguePriced).toBe(1);
  });

  it('stands in the order of the list, ties by id', () => {
    const volume = carried.market.volume;
    const markets = [catalogueMarket(3), catalogueMarket(13, { volume }), catalogueMarket(20)];
    const { entries } = enriched(markets, { carried: [carried] });
    expect(entries.map(({ market }) => Number(market.id))).toEqual([3, 12, 13, 20]);
  });
});

describe('the shares of changes from prices that the service has seen itself', () => {
  it('are told by window, rounded down to three decimals', () => {
    const markets = [1, 2, 3].map((n) => catalogueMarket(n));
    const own: Readonly<Record<ChangeWindow, number>> = { oneDay: 2, sevenDay: 3, thirtyDay: 0 };
    const baseline: PriceMemory['baseline'] = (token, window) => ({
      price: 0.4,
      own: markets.findIndex(({ yesTokenId }) => yesTokenId === token) < own[window],
    });
    const { report } = enriched(markets, { baseline });
    expect(report).toMatchObject({ ownOneDay: 0.666, ownSevenDay: 1, ownThirtyDay: 0 });
  });

  it('count known changes alone, and are 0 where there is none', () => {
    const markets = [1, 2, 3].map((n) => catalogueMarket(n));
    const [first, second, third] = markets;
    if (!first || !second || !third) throw new Error('unreachable');
    const { report } = enriched(markets, {
      // Of the second the memory knows nothing; of the third nobody knows where it is now.
      midpoints: [first, second].map((market) => [market, 0.5]),
      baseline: (token, window) =>
        token !== second.yesTokenId && window === 'oneDay'
          ? { price: 0.4, own: token === first.yesTokenId }
          : undefined,
    });
    expect(report).toMatchObject({ ownOneDay: 1, ownSevenDay: 0, ownThirtyDay: 0 });
  });
});
