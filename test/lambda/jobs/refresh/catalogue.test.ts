import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord } from '../../../../lambda/core/domain/market.ts';
import { unreadablePercent } from '../../../../lambda/jobs/refresh/run-result.ts';
import { catalogueMarket, catalogueMarkets, shuffled } from './catalogue-markets.ts';
import { catalogueRig } from './catalogue-rig.ts';

// A run reads Polymarket's catalogue of markets, until it has as many as the stage lists and some
// to spare. Without a previous snapshot it reads page after page, highest volume first.
describe('page after page', () => {
  it('reads until there are enough markets, and some to spare', async () => {
    const maxMarkets = 300;
    const { read, pages } = catalogueRig(catalogueMarkets(1_000), { maxMarkets });
    const { markets } = await read();
    // The 300 and 50 to spare, in whole pages of 100.
    expect(markets).toHaveLength(400);
    expect(pages()).toBe(4);
  });

  it('dates prices by its start, even if upstream made its pages later', async () => {
    const { world, read } = catalogueRig(catalogueMarkets(100));
    const { page } = world;
    world.page = async (...args) => ({ ...(await page(...args)), madeAt: world.clock.now() + 1 });
    const { asOf, cataloguePricesAsOf } = await read();
    expect(cataloguePricesAsOf).toBe(asOf);
  });

  /**
   * A stage of 100 markets. Of each 20 in the catalogue, the first ones have no sign of a price. A
   * run needs 150 markets with one (50 to spare), and reads at most twice as many markets.
   */
  const rigWithUnpriced = (unpricedOfTwenty: number) => {
    const markets = Array.from({ length: 900 }, (_, n) =>
      catalogueMarket(n, n % 20 < unpricedOfTwenty ? { catalogue: {} } : {}),
    );
    return catalogueRig(markets, { maxMarkets: 100 });
  };

  it('reads on for markets without any sign of a price', async () => {
    const { read } = rigWithUnpriced(10);
    expect((await read()).markets).toHaveLength(300);
  });

  it('fails when most markets have no sign of a price', async () => {
    const { read, pages } = rigWithUnpriced(15);
    await expect(read()).rejects.toThrow(
      'Most records of the catalogue have no readable outcome price',
    );
    expect(pages()).toBe(3);
  });

  type Listable = CatalogueRecord & { kind: 'listable' };

  it.each<{ field: string; without: (record: Listable) => CatalogueRecord }>([
    { field: 'volume', without: (record) => ({ ...record, lacksVolume: true }) },
    {
      field: 'outcome price',
      without: ({ market, ...record }) => ({
        ...record,
        market: { ...market, catalogue: { bid: 0.4 } },
      }),
    },
    { field: 'question', without: ({ id }) => ({ kind: 'skipped', id, reason: 'question' }) },
    { field: 'end date', without: ({ id }) => ({ kind: 'skipped', id, reason: 'end_date' }) },
    { field: 'ids', without: ({ id }) => ({ kind: 'skipped', id, reason: 'ids_malformed' }) },
  ])('fails when more than half of the open records have no readable $field', async (row) => {
    const { world, read } = catalogueRig(catalogueMarkets(100));
    // Closed records do not count.
    const inactive = Array<CatalogueRecord>(50).fill({ kind: 'inactive' });
    const showBroken = (count: number) => {
      world.shown = (records) => [
        ...records.slice(0, count).map((record) => row.without(record as Listable)),
        ...records.slice(count),
        ...inactive,
      ];
    };
    showBroken(50);
    expect((await read()).counts.pages).toBe(1);
    showBroken(51);
    await expect(read()).rejects.toThrow(
      `Most records of the catalogue have no readable ${row.field}`,
    );
  });

  it('lists by volume, each market once', async () => {
    const [low, high] = [catalogueMarket(1, { volume: 5 }), catalogueMarket(2, { volume: 9 })];
    const sameVolume = catalogueMarket(3, { volume: 5 });
    const { markets } = await catalogueRig([sameVolume, high, sameVolume, low]).read();
    expect(markets).toEqual([high, low, sameVolume]);
  });

  it('ends with an empty page, even if that has a cursor', async () => {
    const { world, read } = catalogueRig(catalogueMarkets(250));
    const page = world.page;
    const nextCursor = '100';
    world.page = async (cursor, ...rest) =>
      cursor
        ? { records: [], madeAt: 0, nextCursor }
        : { ...(await page(cursor, ...rest)), nextCursor };
    expect((await read()).counts.pages).toBe(2);
  });

  // A page has 100 records and the cursor of the next page, the position of its first record. `shown`
  // has the pages that the reader gets, in order.
  it.each([
    {
      how: 'with the cursor of the page before',
      shown: [
        { first: '0', nextCursor: '100' },
        { first: '100', nextCursor: '100' },
      ],
    },
    {
      how: 'with the cursor of an earlier page',
      shown: [
        { first: '0', nextCursor: '100' },
        { first: '100', nextCursor: '200' },
        { first: '200', nextCursor: '100' },
      ],
    },
    {
      how: 'to records that an earlier page had',
      shown: [
        { first: '0', nextCursor: '100' },
        { first: '0', nextCursor: '200' },
      ],
    },
  ])('fails when a page leads back $how, because the rest would be missing', async ({ shown }) => {
    const { world, read, pages } = catalogueRig(catalogueMarkets(350));
    const { page } = world;
    const left = [...shown];
    world.page = async (_cursor, ...rest) => {
      const next = left.shift();
      if (!next) throw new Error('The reader read on');
      return { ...(await page(next.first, ...rest)), nextCursor: next.nextCursor };
    };
    await expect(read()).rejects.toThrow('The pages of the catalogue lead back to earlier ones');
    expect(pages()).toBe(shown.length);
  });

  it('goes on after markets that moved to a later page, and after a page without ids', async () => {
    const { world, read } = catalogueRig(catalogueMarkets(350));
    const page = world.page;
    world.page = async (cursor, ...rest) => {
      // The second page repeats 50 markets of the first one.
      const shown = await page(cursor === '100' ? '50' : cursor, ...rest);
      if (cursor !== '150') return shown;
      const withoutIds = { kind: 'skipped', reason: 'ids_pending' } as const;
      return { ...shown, records: shown.records.map(() => withoutIds) };
    };
    // Of the 350 markets, the third page has those from 150 to 249, and hides their ids.
    expect((await read()).markets).toHaveLength(250);
  });

  it('fails when the catalogue ignores the order', async () => {
    const { world, read } = catalogueRig(catalogueMarkets(250));
    world.shown = shuffled;
    await expect(read()).rejects.toThrow('The catalogue does not sort its markets by volume');
  });

  it('names the markets that are closed or cannot be traded', async () => {
    const { world, read } = catalogueRig(catalogueMarkets(1));
    world.shown = (records) => [
      ...records,
      { kind: 'inactive', id: '0x99' },
      { kind: 'inactive' },
      { kind: 'skipped', id: '0x98', reason: 'no_order_book' },
      { kind: 'skipped', id: '0x97', reason: 'question' },
    ];
    expect([...(await read()).closed]).toEqual(['0x99', '0x98']);
  });

  it('counts what cannot be listed', async () => {
    const { world, read } = catalogueRig(catalogueMarkets(1));
    world.shown = (records) => [
      ...records,
      { kind: 'inactive', id: '0x99' },
      ...Array<CatalogueRecord>(2).fill({ kind: 'skipped', reason: 'not_an_object' }),
      { kind: 'skipped', id: '0x98', reason: 'ids_pending' },
      { kind: 'skipped', id: '0x96', reason: 'too_long' },
      ...Array<CatalogueRecord>(2).fill({
        kind: 'skipped',
        id: '0x97',
        reason: 'version_unknown',
        version: 'v3',
      }),
    ];
    const { counts } = await read();
    const skippedByReason = { not_an_object: 2, ids_pending: 1, too_long: 1, version_unknown: 1 };
    expect(counts).toMatchObject({
      listable: 1,
      inactive: 1,
      skippedByReason,
      unknownVersions: ['v3'],
    });
    // Three of the six open records are unreadable: those that are no objects, and that of v3,
    // which is counted once.
    expect(unreadablePercent(counts)).toBe(50);
  });
});
