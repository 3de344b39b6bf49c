import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord } from '../../../../lambda/domain/market.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { SeenMarkets } from '../../../../lambda/refresh/seen-markets.ts';
import {
  type CatalogueMarketOverrides,
  catalogueMarket,
  UNPRICED,
} from '../../../support/catalogue-market.ts';
import { listable } from './fake-upstreams.ts';

const market = (n: number, overrides: CatalogueMarketOverrides = {}) =>
  listable(catalogueMarket(n, overrides));
const unreadable: CatalogueRecord = { kind: 'skipped', reason: 'not_an_object' };

function setup() {
  const report = new RunReport();
  return { report, seenMarkets: new SeenMarkets(report) };
}

describe('what a crawl has seen', () => {
  it('are markets by their condition id in either form', () => {
    const { seenMarkets } = setup();
    const short = `0x${'ab'.repeat(31)}`;
    const padded = `${short}00`;
    seenMarkets.take([{ kind: 'inactive', id: padded }]);
    expect([seenMarkets.saw(short), seenMarkets.saw(padded), seenMarkets.saw('0x12')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('counts a market that comes twice once, on one page or on two', () => {
    const { seenMarkets, report } = setup();
    const first = seenMarkets.takePage({ records: [market(1), market(1), market(2)] });
    const second = seenMarkets.takePage({ records: [market(2), market(3)] });
    expect([first, second].map(({ fresh }) => fresh.map(({ id }) => Number(id)))).toEqual([[1, 2], [3]]);
    expect(report).toMatchObject({ pages: 2, duplicates: 2 });
    expect(seenMarkets.kept).toBe(3);
  });

  it('counts what cannot be listed by its reason', () => {
    const { seenMarkets, report } = setup();
    const { fresh } = seenMarkets.take([
      { kind: 'inactive', id: '0x1' },
      { kind: 'skipped', id: '0x2', reason: 'question' },
      { kind: 'skipped', id: '0x3', reason: 'question' },
      { kind: 'skipped', reason: 'end_date' },
    ]);
    expect(fresh).toEqual([]);
    expect(report).toMatchObject({ inactive: 1, skipped: { question: 2, end_date: 1 }, pages: 0 });
    expect(seenMarkets.kept).toBe(0);
  });

  it('is as old as its oldest page', () => {
    const { seenMarkets, report } = setup();
    for (const ageSeconds of [20, 45, 30]) seenMarkets.takePage({ records: [], ageSeconds });
    seenMarkets.takePage({ records: [] });
    expect(report.catalogueAgeSeconds).toBe(45);
  });

  it('takes no more markets than are wanted; those without a sign of a price come on top', () => {
    const { seenMarkets } = setup();
    const records = [market(1), market(2, UNPRICED), market(3), market(4), market(5, UNPRICED)];
    const ids = seenMarkets.takePage({ records }, 2).fresh.map(({ id }) => Number(id));
    expect(ids).toEqual([1, 2, 3]);
    expect(seenMarkets.kept).toBe(2);
  });
});

describe('a page', () => {
  it.each([
    ['of known markets alone', [market(1), market(2)], true],
    ['of known markets and what cannot be read', [market(1), unreadable], true],
    ['with one new market', [market(1), market(3)], false],
    ['of which nothing can be read', [unreadable], false],
    ['without records', [], false],
  ] as const)('%s proves that the cursor goes nowhere, or not', (_, records, repeated) => {
    const { seenMarkets } = setup();
    seenMarkets.take([market(1), market(2)]);
    expect(seenMarkets.takePage({ records }).repeated).toBe(repeated);
  });
});
