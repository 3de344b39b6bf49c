import { describe, expect, it } from '@jest/globals';
import { refreshPrices } from '../../../../lambda/refresh/price-run.ts';
import { type RefreshDependencies, refresh } from '../../../../lambda/refresh/refresh.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { fakePrices, listable, pagedCatalogue } from './fake-upstreams.ts';

const MARKETS = 40;
const RUN_MS = 50_000;

async function afterFullRun() {
  const clock = new ManualClock();
  const table = new MemoryTable();
  const store = { client: table.client, table: table.table, now: clock.now, clock, keptSeconds: 3_600 };
  const publisher = new SnapshotWriter(store);
  const records = Array.from({ length: MARKETS }, (_, n) => listable(catalogueMarket(n)));
  const dependencies: RefreshDependencies = {
    catalogue: pagedCatalogue([records]),
    prices: fakePrices({ midpoints: async (tokens) => new Map(tokens.map((token) => [token, 0.45])) }),
    publisher,
    clock,
    random: () => 0.5,
    maxMarkets: MARKETS,
  };
  await refresh(dependencies, clock.now() + RUN_MS);
  await clock.advance(60_000);
  const priceRun = async (midpoints: (tokens: readonly string[]) => Map<string, number>) =>
    await refreshPrices(
      {
        ...dependencies,
        publisher: new SnapshotWriter(store),
        prices: fakePrices({ midpoints: async (tokens) => midpoints(tokens) }),
      },
      clock.now() + RUN_MS,
    );
  return { clock, publisher, priceRun, dependencies };
}

const all = (price: number) => (tokens: readonly string[]) => new Map(tokens.map((token) => [token, price]));

describe('a run for the prices alone', () => {
  it('publishes new prices and changes with the facts of the last full run', async () => {
    const { clock, publisher, priceRun } = await afterFullRun();
    const full = await publisher.newest();
    expect(await priceRun(all(0.4725))).toMatchObject({ outcome: 'published' });
    const newest = await publisher.newest();
    expect(newest?.published).toMatchObject({
      asOf: clock.now(),
      catalogueAsOf: full?.published.asOf,
      markets: MARKETS,
    });
    expect(newest?.entries[3]?.market).toEqual({
      ...full?.entries[3]?.market,
      currentProbability: 47.25,
      oneDayPriceChange: 7.25,
      sevenDayPriceChange: 7.25,
      thirtyDayPriceChange: 7.25,
    });
    expect(newest?.entries[3]?.facets.outcomes.map(({ probability }) => probability)).toEqual([47.25, 52.75]);
    expect(newest?.entries[3]?.midpoint).toBe(0.4725);
  });

  it('comes back to the same numbers with the same prices, however often', async () => {
    const { publisher, priceRun } = await afterFullRun();
    const first = (await publisher.newest())?.entries;
    for (const price of [0.4725, 0.12345, 0.9999, 0.45]) await priceRun(all(price));
    expect((await publisher.newest())?.entries).toEqual(first);
  });

  it('does not believe that most midpoints are gone within a minute', async () => {
    const { publisher, priceRun } = await afterFullRun();
    const first = await publisher.newest();
    const some = (count: number) => (tokens: readonly string[]) => all(0.46)(tokens.slice(0, count));
    await expect(priceRun(some(0))).rejects.toThrow('of 40 markets that had a midpoint 0 have one');
    await expect(priceRun(some(19))).rejects.toThrow('of 40 markets that had a midpoint 19 have one');
    expect((await publisher.newest())?.published).toEqual(first?.published);
    expect(await priceRun(some(20))).toMatchObject({ outcome: 'published' });
    expect(await priceRun(some(10))).toMatchObject({ outcome: 'published' });
    // Of nineteen and fewer anything is believed.
    expect(await priceRun(some(0))).toMatchObject({ outcome: 'published' });
  });

  it('knows no change of a market whose midpoint is gone', async () => {
    const { publisher, priceRun } = await afterFullRun();
    await priceRun((tokens) => new Map(tokens.slice(1).map((token) => [token, 0.46])));
    const entries = (await publisher.newest())?.entries ?? [];
    expect(entries[0]?.market.oneDayPriceChange).toBeNull();
    expect(entries[0]?.market).not.toHaveProperty('sevenDayPriceChange');
    expect(entries[1]?.market.oneDayPriceChange).toBe(6);
  });

  it('keeps the price of a market that has no midpoint, as the next full run will', async () => {
    const { publisher, priceRun } = await afterFullRun();
    const without = (tokens: readonly string[]) =>
      new Map(tokens.slice(1).map((token): [string, number] => [token, 0.46]));
    await priceRun(without);
    await priceRun(without);
    const entry = (await publisher.newest())?.entries[0];
    expect(entry?.facets.lastTradePrice).toBe(0.4);
    expect(entry?.market.currentProbability).toBe(45);
    expect(entry?.facets.outcomes.map(({ probability }) => probability)).toEqual([45, 55]);
  });

  it('publishes nothing where a call has failed for good', async () => {
    const { clock, publisher, priceRun } = await afterFullRun();
    const before = await publisher.newest();
    const failing = () => {
      throw new Error('down');
    };
    const running = expect(priceRun(failing)).rejects.toThrow('Not all prices');
    await clock.advance(RUN_MS);
    await running;
    expect((await publisher.newest())?.published.id).toBe(before?.published.id);
  });

  it('leaves it to a full run where calls for prices failed in the one before', async () => {
    const { clock, publisher, priceRun, dependencies } = await afterFullRun();

    const failing = fakePrices({ midpoints: () => Promise.reject(new Error('down')) });
    const full = refresh({ ...dependencies, prices: failing }, clock.now() + RUN_MS);
    await clock.advance(RUN_MS);
    await full;
    expect((await publisher.newest())?.published.counts).toMatchObject({ midpointCallsFailed: 1 });
    expect(await priceRun(all(0.5))).toBeUndefined();
  });

  it('leaves it to a full run where there is no snapshot, or its catalogue is over an hour old', async () => {
    const { clock, priceRun, dependencies } = await afterFullRun();
    const empty = { latest: async () => undefined, newest: async () => undefined };
    const publisher = { ...dependencies.publisher, ...empty } as RefreshDependencies['publisher'];
    expect(await refreshPrices({ ...dependencies, publisher }, clock.now() + RUN_MS)).toBeUndefined();
    await clock.advance(3_541_000);
    expect(await priceRun(all(0.5))).toBeUndefined();
  });
});
