import { describe, expect, it } from '@jest/globals';
import type {
  CatalogueMarket,
  CatalogueRecord,
  Market,
} from '../../../../lambda/core/domain/market.ts';
import { readCatalogue } from '../../../../lambda/jobs/refresh/catalogue.ts';
import { unreadablePercent } from '../../../../lambda/jobs/refresh/run-result.ts';
import { delayed, ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { testMarket, testMarkets } from '../../../support/markets.ts';
import { catalogueMarket, catalogueMarkets, listable } from './catalogue-markets.ts';
import { RefreshWorld } from './refresh-rig.ts';

/** Upstream shows these markets, 100 a page. A stage lists at most `maxMarkets` of them. */
function setup(markets: readonly CatalogueMarket[], maxMarkets = 2_000) {
  const world = new RefreshWorld(new ManualClock());
  world.markets = markets;
  const reader = world.container(maxMarkets);
  const read = (previous: readonly Market[] = []) =>
    readCatalogue(reader, previous, world.clock.now() + 60_000);
  return { world, read };
}

const fail = (): never => {
  throw new Error('down');
};
/** An order that has nothing to do with volumes. */
const shuffled = ({ id }: CatalogueRecord) => (Number(id) * 7_919) % 1_009;
const pagesOf = (world: RefreshWorld) => world.calls.filter((call) => call === 'page').length;

// Without a previous snapshot, a run reads the pages in descending order of volume.
describe('page after page', () => {
  it('reads until there are enough markets, and some to spare', async () => {
    const { world, read } = setup(catalogueMarkets(1_000), 300);
    const { markets } = await read();
    // 50 to spare, in whole pages.
    expect(markets).toHaveLength(400);
    expect(pagesOf(world)).toBe(4);
  });

  it('reads on for markets without any sign of a price, but not for more of them than are wanted', async () => {
    const unpriced = { catalogue: {} };
    const all = Array.from({ length: 900 }, (_, n) =>
      catalogueMarket(n, n % 2 === 0 ? unpriced : {}),
    );
    const half = setup(all, 100);
    expect((await half.read()).markets).toHaveLength(300);
    const most = setup(
      all.map((market, n) => (n % 20 < 10 ? market : catalogueMarket(n, unpriced))),
      100,
    );
    await expect(most.read()).rejects.toThrow(
      'Most records of the catalogue have no readable outcome price',
    );
    expect(pagesOf(most.world)).toBe(3);
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
    const { world, read } = setup(catalogueMarkets(100));
    const inactive = Array<CatalogueRecord>(50).fill({ kind: 'inactive' });
    const showBroken = (count: number) => (records: readonly CatalogueRecord[]) => [
      ...records.map((record, n) =>
        record.kind === 'listable' && n < count ? broken(record) : record,
      ),
      ...inactive,
    ];
    world.shown = showBroken(50);
    expect((await read()).counts.pages).toBe(1);
    world.shown = showBroken(51);
    await expect(read()).rejects.toThrow(`Most records of the catalogue have no readable ${name}`);
  });

  it('lists by volume, each market once', async () => {
    const [a, b, c] = [5, 9, 5].map((volume, n) => catalogueMarket(n + 1, { volume }));
    const { markets } = await setup([c, b, c, a].flatMap((market) => market ?? [])).read();
    expect(markets.map(({ id }) => Number(id))).toEqual([3, 2, 4]);
  });

  it('ends with an empty page, even if that has a cursor', async () => {
    const { world, read } = setup(catalogueMarkets(250));
    const page = world.page;
    const nextCursor = '100';
    world.page = async (cursor, ...rest) =>
      cursor
        ? { records: [], madeAt: 0, nextCursor }
        : { ...(await page(cursor, ...rest)), nextCursor };
    expect((await read()).counts.pages).toBe(2);
  });

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
  ])('fails when a page leads back %s, because the rest would be missing', async (_how, pages) => {
    const { world, read } = setup(catalogueMarkets(350));
    const page = world.page;
    const left = [...pages];
    world.page = async (_cursor, ...rest) => {
      const [first, nextCursor] = left.shift() ?? [];
      return { ...(await page(first, ...rest)), ...(nextCursor && { nextCursor }) };
    };
    await expect(read()).rejects.toThrow('The pages of the catalogue lead back to earlier ones');
    expect(pagesOf(world)).toBe(pages.length);
  });

  it('goes on after markets that moved to a later page, and after a page without ids', async () => {
    const { world, read } = setup(catalogueMarkets(350));
    const page = world.page;
    world.page = async (cursor, ...rest) => {
      const one = await page(cursor === '100' ? '50' : cursor, ...rest);
      const records = one.records.map(() => ({ kind: 'skipped', reason: 'ids_pending' }) as const);
      return cursor === '150' ? { ...one, records } : one;
    };
    expect((await read()).markets).toHaveLength(250);
  });

  it('fails when the catalogue ignores the order, since others could belong in the list', async () => {
    const { world, read } = setup(catalogueMarkets(250));
    world.shown = (records) => records.toSorted((a, b) => shuffled(a) - shuffled(b));
    await expect(read()).rejects.toThrow('The catalogue does not sort its markets by volume');
  });

  it('names the markets that are closed or cannot be traded', async () => {
    const { world, read } = setup(catalogueMarkets(1));
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
    const { world, read } = setup(catalogueMarkets(1));
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

describe('in bands', () => {
  /** Volumes as unevenly spread as the real ones. 1,000 markets are 12 bands of at most 85. */
  const spread = (count: number) =>
    Array.from({ length: count }, (_, n) => catalogueMarket(n, { volume: 1e9 / (n + 1) }));
  const previous = testMarkets(1_000).map((market, n) => ({ ...market, volume: 1e9 / (n + 1) }));

  it('reads the same markets side by side', async () => {
    const { world, read } = setup(spread(1_500), 1_000);
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
    const { world, read } = setup(spread(1_000), 1_000);
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
    const { markets } = await setup(all, 1_000).read(previous);
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
      return { ...found, records: found.records.toSorted((a, b) => shuffled(a) - shuffled(b)) };
    };

  it.each([
    ['bounds', withoutBounds],
    ['ascending order', unsorted],
  ])('reads page after page, for an hour, when Gamma ignores the %s', async (_what, wrong) => {
    const { world, read } = setup(spread(1_500), 1_000);
    const page = world.page;
    world.page = wrong(page);
    const { markets, counts } = await read(previous);
    expect(markets).toHaveLength(1_100);
    expect(counts).toMatchObject({ bands: 0, listable: 1_100 });
    world.page = page;
    expect((await read(previous)).counts.bands).toBe(0);
  });

  it('drops a record below its band, requests the market by id, and goes on in bands', async () => {
    const { world, read } = setup(spread(1_000), 1_000);
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

describe('markets of the previous snapshot that no page showed', () => {
  const absent = [testMarket(40), testMarket(41)];
  const readWith = async (
    respond: () => CatalogueRecord[],
    previous: readonly Market[] = absent,
  ) => {
    const { world, read } = setup(catalogueMarkets(30));
    const calls: (readonly string[])[] = [];
    const timeouts: number[] = [];
    world.recordsByIds = async (ids, deadline) => {
      calls.push(ids);
      timeouts.push(deadline - world.clock.now());
      return { records: respond(), madeAt: world.clock.now() - 60_000 };
    };
    return { calls, timeouts, ...(await read(previous)) };
  };
  /** The numbers of test markets. The id of market `n` is `n + 1` in hexadecimal. */
  const numbers = (markets: readonly { id: string }[]) => markets.map(({ id }) => Number(id) - 1);

  it('are requested by their ids, each call for one protocol version, and listed when they are open', async () => {
    const second = testMarket(42, { protocolVersion: 'v2' });
    const previous = [...testMarkets(30), ...absent, second];
    const { calls, markets, unconfirmed, counts } = await readWith(
      () => [listable(catalogueMarket(40))],
      previous,
    );
    expect(calls.map((ids) => numbers(ids.map((id) => ({ id }))))).toEqual([[40, 41], [42]]);
    expect(numbers(markets)).toEqual([...Array(30).keys(), 40]);
    expect(numbers(unconfirmed)).toEqual([41, 42]);
    expect(counts).toMatchObject({ notSeen: 3, unconfirmed: 2, listable: 31 });
  });

  it('date the prices of the catalogue by the oldest response, and delay the run by at most 10 s', async () => {
    const { asOf, cataloguePricesAsOf, timeouts } = await readWith(() => [
      listable(catalogueMarket(40)),
    ]);
    expect(asOf - cataloguePricesAsOf).toBe(60_000);
    expect(timeouts).toEqual([10_000]);
  });

  it.each<[string, () => CatalogueRecord[]]>([
    ['fails', fail],
    ['is empty, as for ids that are not understood', () => []],
    [
      'holds markets that were not requested',
      () => [listable(catalogueMarket(40)), listable(catalogueMarket(7))],
    ],
    ['holds a record without an id', () => [listable(catalogueMarket(40)), { kind: 'inactive' }]],
  ])('stay unconfirmed when the response %s', async (_what, respond) => {
    const { markets, unconfirmed } = await readWith(respond);
    expect(numbers(unconfirmed)).toEqual([40, 41]);
    expect(markets).toHaveLength(30);
  });

  it('are requested 40 ids a call, in at most 20 calls', async () => {
    const { calls, unconfirmed } = await readWith(() => [], testMarkets(1_000).slice(100));
    expect(calls.map(({ length }) => length)).toEqual(Array(20).fill(40));
    expect(unconfirmed).toHaveLength(900);
  });
});

it('equal volumes do not end a band, although other bands have shown its first page', async () => {
  const all = catalogueMarkets(900).map((market) => ({ ...market, volume: 1_000 }));
  const { world, read } = setup(all, 800);
  const known = testMarkets(900).map((market) => ({ ...market, volume: 1_000 }));
  const { markets } = await read(known.slice(0, 800));
  expect(markets.length).toBeGreaterThanOrEqual(800);
  expect(world.calls.filter((call) => call.startsWith('find'))).toEqual([]);
});
