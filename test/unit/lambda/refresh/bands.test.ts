import { describe, expect, it } from '@jest/globals';
import { BandPlan, BandsIgnoredError, crawlBands } from '../../../../lambda/refresh/bands.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { Sightings } from '../../../../lambda/refresh/sightings.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { listable } from './fake-upstreams.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('the plan of the bands', () => {
  const volumes = Array.from({ length: 2_000 }, (_, n) => 1e9 / (n + 1));

  it('covers everything from below the last market of the previous snapshot', () => {
    const bands = new BandPlan().bands(volumes, 2_000, NOW) ?? [];
    expect(bands).toHaveLength(24);
    expect(bands[0]?.to).toBe(Number.POSITIVE_INFINITY);
    expect(bands.at(-1)?.from).toBeCloseTo((1e9 / 2_000) * 0.98, 6);
    for (const [n, { to }] of bands.entries()) if (n > 0) expect(to).toBe(bands[n - 1]?.from);
  });

  it.each([
    ['a snapshot that may hold the whole catalogue', volumes.slice(0, 1_999), 2_000],
    ['the same of 4,000', volumes, 4_000],
    ['a few pages', volumes.slice(0, 300), 300],
    ['markets without volume at the end', [...volumes.slice(1), 0], 2_000],
    ['no snapshot', [], 2_000],
  ] as const)('is none for %s', (_, some, maxMarkets) => {
    expect(new BandPlan().bands(some, maxMarkets, NOW)).toBeUndefined();
  });

  it('of a large stage that is not full yet goes on below what it has', () => {
    const some = volumes.slice(0, 1_000);
    const bands = new BandPlan().bands(some, 10_000, NOW) ?? [];
    const below = bands.filter(({ to }) => to <= (some.at(-1) ?? 0));
    expect(below).toHaveLength(16);
    expect(below.every(({ pages = 0 }, n) => pages > 0 && below[n + 1]?.to !== below[n]?.to)).toBe(true);
    const [last] = new BandPlan().bands([...some.slice(0, 999), 500], 10_000, NOW)?.slice(-1) ?? [];
    expect(last).toMatchObject({ from: 0, to: 490 });
  });

  it('is none for an hour after the bounds were ignored', () => {
    const plan = new BandPlan();
    plan.ignored(NOW);
    expect(plan.bands(volumes, 2_000, NOW + 3_599_999)).toBeUndefined();
    expect(plan.bands(volumes, 2_000, NOW + 3_600_000)).toBeDefined();
  });
});

describe('a catalogue that is read in bands', () => {
  it('is given up when a page holds a market below its band', async () => {
    const page = async () => ({ records: [listable(catalogueMarket(1, { volume: 5 }))] });
    const catalogue = { page, find: async () => [] };
    const sightings = new Sightings(new RunReport());
    const crawling = crawlBands(catalogue, [{ from: 10, to: 20 }], 0, sightings, () => undefined);
    await expect(crawling).rejects.toThrow(BandsIgnoredError);
  });
});
