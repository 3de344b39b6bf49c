import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord } from '../../../../lambda/core/domain/market.ts';
import { unreadablePercent } from '../../../../lambda/jobs/refresh/run-result.ts';
import { catalogueMarket, catalogueMarkets, shuffled } from './catalogue-markets.ts';
import { catalogueRig } from './catalogue-rig.ts';

// Without a previous snapshot, a run reads the pages in descending order of volume.
describe('page after page', () => {
  it('reads until there are enough markets, and some to spare', async () => {
    const maxMarkets = 300;
    const { read, pages } = catalogueRig(catalogueMarkets(1_000), { maxMarkets });
    const { markets } = await read();
    // 50 to spare, in whole pages of 100.
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

  /** A stage of 100 markets. Of each 20 in the catalogue, the first ones have no sign of a price. */
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

  it.each<[string, (record: CatalogueRecord & { kind: 'listable' }) => CatalogueRecord]>([
    ['volume', (record) => ({ ...record, lacksVolume: true })],
    [
      'outcome price',
      ({ market, ...record }) => ({ ...record, market: { ...market, catalogue: { bid: 0.4 } } }),
    ],
    ['question', ({ id }) => ({ kind: 'skipped', id, reason: 'question' })],
    ['end date', ({ id }) => ({ kind: 'skipped', id, reason: 'end_date' })],
    ['ids', ({ id }) => ({ kind: 'skipped', id, reason: 'ids_malformed' })],
  ])('fails when more than half of the open records have no readable %s', async (name, broken) => {
    const { world, read } = catalogueRig(catalogueMarkets(100));
    // Closed records do not count.
    const inactive = Array<CatalogueRecord>(50).fill({ kind: 'inactive' });
    let brokenRecords = 50;
    world.shown = (records) => [
      ...records.map((record, n) =>
        record.kind === 'listable' && n < brokenRecords ? broken(record) : record,
      ),
      ...inactive,
    ];
    expect((await read()).counts.pages).toBe(1);
    brokenRecords = 51;
    await expect(read()).rejects.toThrow(`Most records of the catalogue have no readable ${name}`);
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

  // Each page by the position of its first record and the cursor that it returns.
  it.each<[string, readonly (readonly [first: string, nextCursor: string])[]]>([
    [
      'with the cursor of the page before',
      [
        ['0', '100'],
        ['100', '100'],
      ],
    ],
    [
      'with the cursor of an earlier page',
      [
        ['0', '100'],
        ['100', '200'],
        ['200', '100'],
      ],
    ],
    [
      'to records that an earlier page had',
      [
        ['0', '100'],
        ['0', '200'],
      ],
    ],
  ])('fails when a page leads back %s, because the rest would be missing', async (_how, shown) => {
    const { world, read, pages } = catalogueRig(catalogueMarkets(350));
    const page = world.page;
    const left = [...shown];
    world.page = async (_cursor, ...rest) => {
      const [first, nextCursor] = left.shift() ?? [];
      return { ...(await page(first, ...rest)), ...(nextCursor && { nextCursor }) };
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
    // Of 350, the third page hides 100.
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
    expect(unreadablePercent(counts)).toBe(50);
  });
});
