import { describe, expect, it } from '@jest/globals';
import { delayed, whileTimePasses } from '../../../support/manual-clock.ts';
import { testMarkets } from '../../../support/markets.ts';
import { catalogueMarket, catalogueMarkets, listable, shuffled } from './catalogue-markets.ts';
import { catalogueRig } from './catalogue-rig.ts';
import type { RefreshWorld } from './refresh-rig.ts';

// With a previous snapshot, a run reads ranges of volumes (bands) side by side.
describe('in bands', () => {
  /** Volumes as unevenly spread as the real ones. 1,000 markets are 12 bands of at most 85. */
  const spread = (count: number) =>
    Array.from({ length: count }, (_, n) => catalogueMarket(n, { volume: 1e9 / (n + 1) }));
  const previous = testMarkets(1_000).map((market, n) => ({ ...market, volume: 1e9 / (n + 1) }));

  it('reads the same markets side by side', async () => {
    const { world, read } = catalogueRig(spread(1_500), 1_000);
    const page = delayed(world.clock, world.page, 1_100);
    const bounds: number[] = [];
    world.page = async (...args) => {
      bounds.push(args[2] ?? 0);
      return await page(...args);
    };
    const started = world.clock.now();
    const { markets, counts } = await whileTimePasses(world.clock, read(previous));
    expect(markets.slice(0, 1_000).map(({ id }) => id)).toEqual(previous.map(({ id }) => id));
    expect(counts.bands).toBe(12);
    // The lowest band is first: a market whose volume grows then comes later, not never.
    expect(bounds[0]).toBe(Math.min(...bounds));
    // 15 pages in a row would take 16.5 s.
    expect(world.clock.now() - started).toBeLessThan(4_000);
  });

  it('reads at most 60 pages of a band', async () => {
    const { world, read } = catalogueRig(spread(1_000), 1_000);
    // Each page has another market at the lower bound.
    world.page = async (_cursor, _deadline, atLeast = 0) => {
      const n = 10_000 + world.calls.push('page');
      return {
        records: [listable(catalogueMarket(n, { volume: atLeast + 1 }))],
        madeAt: 0,
        nextCursor: String(n),
      };
    };
    expect((await read(previous)).counts.pages).toBe(12 * 60);
  });

  it('reads all pages of a band that has become crowded', async () => {
    const crowd = Array.from({ length: 350 }, (_, n) =>
      catalogueMarket(5_000 + n, { volume: 9_999_000.5 }),
    );
    const all = [...spread(1_000), ...crowd].sort((a, b) => b.volume - a.volume);
    const { markets } = await catalogueRig(all, 1_000).read(previous);
    expect(markets.filter(({ volume }) => volume === 9_999_000.5)).toHaveLength(350);
  });

  type Page = RefreshWorld['page'];
  const withoutBounds =
    (page: Page): Page =>
    (cursor, deadline) =>
      page(cursor, deadline);
  const unsorted =
    (page: Page): Page =>
    async (cursor, deadline, atLeast) => {
      const found = await page(cursor, deadline, atLeast);
      if (atLeast === undefined) return found;
      return { ...found, records: shuffled(found.records) };
    };

  it.each([
    ['bounds', withoutBounds],
    ['ascending order', unsorted],
  ])('reads page after page, for an hour, when Gamma ignores the %s', async (_what, wrong) => {
    const { world, read } = catalogueRig(spread(1_500), 1_000);
    const page = world.page;
    world.page = wrong(page);
    const { markets, counts } = await read(previous);
    expect(markets).toHaveLength(1_100);
    expect(counts).toMatchObject({ bands: 0, listable: 1_100 });
    world.page = page;
    expect((await read(previous)).counts.bands).toBe(0);
  });

  it('drops a record below its band, requests the market by id, and goes on in bands', async () => {
    const { world, read } = catalogueRig(spread(1_000), 1_000);
    world.shown = (records) =>
      records.map((record) =>
        Number(record.id) === 500 ? listable(catalogueMarket(499, { volume: 0 })) : record,
      );
    const { markets, counts } = await read(previous);
    expect(markets).toHaveLength(1_000);
    expect(counts).toMatchObject({ bands: 12, notSeen: 1 });
    expect((await read(previous)).counts.bands).toBe(12);
  });
});

it('a band of equal volumes is read to its end, although other bands have shown its first page', async () => {
  const all = catalogueMarkets(900).map((market) => ({ ...market, volume: 1_000 }));
  const { world, read } = catalogueRig(all, 800);
  const known = testMarkets(900).map((market) => ({ ...market, volume: 1_000 }));
  const { markets } = await read(known.slice(0, 800));
  expect(markets.length).toBeGreaterThanOrEqual(800);
  expect(world.calls.filter((call) => call.startsWith('find'))).toEqual([]);
});
