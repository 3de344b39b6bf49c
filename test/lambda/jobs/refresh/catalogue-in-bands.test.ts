import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../../../lambda/core/domain/time.ts';
import { delayed, whileTimePasses } from '../../../support/manual-clock.ts';
import { testMarkets } from '../../../support/markets.ts';
import { catalogueMarket, catalogueMarkets, listable, shuffled } from './catalogue-markets.ts';
import { catalogueRig } from './catalogue-rig.ts';
import type { RefreshWorld } from './refresh-rig.ts';

// A run reads Gamma's catalogue of markets in pages. With a previous snapshot, it divides the
// catalogue into ranges of volumes ("bands"), and reads the pages of all bands at the same time.

/** The time that Gamma takes for a slow page. */
const PAGE_MS = 1_100;

describe('a catalogue in bands', () => {
  /** Markets with volumes as unevenly spread as the real ones. 1,000 of them make 12 bands. */
  const spread = (count: number) =>
    Array.from({ length: count }, (_, n) => catalogueMarket(n, { volume: 1e9 / (n + 1) }));
  const previous = testMarkets(1_000).map((market, n) => ({ ...market, volume: 1e9 / (n + 1) }));

  it('reads the markets of the previous snapshot, all bands at the same time', async () => {
    const { world, read } = catalogueRig(spread(1_500), { maxMarkets: 1_000 });
    const page = delayed(world.clock, world.page, PAGE_MS);
    const bounds: number[] = [];
    world.page = async (cursor, deadline, atLeast) => {
      bounds.push(atLeast ?? 0);
      return await page(cursor, deadline, atLeast);
    };
    const started = world.clock.now();
    const { markets, counts } = await whileTimePasses(world.clock, read(previous));
    expect(markets.slice(0, 1_000).map(({ id }) => id)).toEqual(previous.map(({ id }) => id));
    expect(counts.bands).toBe(12);
    // The lowest band is first: a market whose volume grows then comes later, not never.
    expect(bounds[0]).toBe(Math.min(...bounds));
    // The largest band has two pages. In a row, the pages would take at least 12 times as long as
    // one.
    expect(world.clock.now() - started).toBe(2 * PAGE_MS);
  });

  it('reads at most 60 pages of a band', async () => {
    const { world, read } = catalogueRig(spread(1_000), { maxMarkets: 1_000 });
    // Each page has a new market at the lower bound, so no page reaches the end of its band.
    let newest = 10_000;
    world.page = async (_cursor, _deadline, atLeast = 0) => {
      newest += 1;
      return {
        records: [listable(catalogueMarket(newest, { volume: atLeast + 1 }))],
        madeAt: 0,
        nextCursor: String(newest),
      };
    };
    expect((await read(previous)).counts.pages).toBe(12 * 60);
  });

  it('reads all pages of a band that has become crowded', async () => {
    const crowd = Array.from({ length: 350 }, (_, n) =>
      catalogueMarket(5_000 + n, { volume: 9_999_000.5 }),
    );
    const all = [...spread(1_000), ...crowd].sort((a, b) => b.volume - a.volume);
    const { markets } = await catalogueRig(all, { maxMarkets: 1_000 }).read(previous);
    expect(markets.filter(({ volume }) => volume === 9_999_000.5)).toHaveLength(350);
  });

  type Page = RefreshWorld['page'];

  /** A page of Gamma as if it returned the markets of highest volume for every band. */
  function ignoresBounds(page: Page): Page {
    return (cursor, deadline) => page(cursor, deadline);
  }

  /** A page of Gamma as if it sorted the whole catalogue, but no band. */
  function ignoresOrder(page: Page): Page {
    return async (cursor, deadline, atLeast) => {
      const found = await page(cursor, deadline, atLeast);
      return atLeast === undefined ? found : { ...found, records: shuffled(found.records) };
    };
  }

  it.each([
    ['bounds', ignoresBounds],
    ['ascending order', ignoresOrder],
  ])('reads page after page, for an hour, when Gamma ignores the %s', async (_what, fakeOf) => {
    const { world, read } = catalogueRig(spread(1_500), { maxMarkets: 1_000 });
    const page = world.page;
    world.page = fakeOf(page);
    const { markets, counts } = await read(previous);
    // A run reads 50 markets more than the limit, so 1,050 markets take 11 pages of 100.
    expect(markets).toHaveLength(1_100);
    expect(counts).toMatchObject({ bands: 0, listable: 1_100 });
    world.page = page;
    await world.clock.advance(HOUR_MS - 1);
    expect((await read(previous)).counts.bands).toBe(0);
    await world.clock.advance(1);
    expect((await read(previous)).counts.bands).toBe(12);
  });

  it('drops a record below its band, requests the market by id, and goes on in bands', async () => {
    const { world, read } = catalogueRig(spread(1_000), { maxMarkets: 1_000 });
    // A page shows market 499, whose id is 500, with a wrong volume of 0. The response by id has
    // the right one.
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

it('reads a band of equal volumes to its end', async () => {
  // One band begins at 1,000 USD. Another ends there, and its first page shows the same markets. So
  // a page without a new market is not the end of a band.
  const all = catalogueMarkets(900).map((market) => ({ ...market, volume: 1_000 }));
  const { world, read } = catalogueRig(all, { maxMarkets: 800 });
  const known = testMarkets(900).map((market) => ({ ...market, volume: 1_000 }));
  const { markets } = await read(known.slice(0, 800));
  expect(markets.length).toBeGreaterThanOrEqual(800);
  expect(world.calls.filter((call) => call.startsWith('find'))).toEqual([]);
});
