import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { Published } from '../../../../lambda/refresh/ports.ts';
import type { RefreshDependencies } from '../../../../lambda/refresh/refresh.ts';
import { scheduledRun } from '../../../../lambda/refresh/scheduled-run.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { fakeMemory, fakePrices, fakePublisher, listable, pagedCatalogue } from './fake-upstreams.ts';

const RUN_MS = 100_000;
const KNOWN = 10;
const HOUR_MS = 3_600_000;

const markets = (count: number) =>
  pagedCatalogue([Array.from({ length: count }, (_, n) => listable(catalogueMarket(n)))]);
const down = { page: () => Promise.reject(new Error('down')), find: async () => [] };

/** A run that finds a snapshot of ten markets with a catalogue of that age. */
async function run(
  kind: 'full' | 'prices',
  overrides: Partial<RefreshDependencies>,
  { catalogueAgeMs = 120_000, clock = new ManualClock() } = {},
) {
  const previous: Published = {
    id: 'previous',
    asOf: clock.now() - 60_000,
    catalogueAsOf: clock.now() - catalogueAgeMs,
    markets: KNOWN,
    counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
    shrunkRuns: 0,
  };
  const store = fakePublisher(previous);
  const known = Array.from({ length: KNOWN }, (_, n) => snapshotEntry(n));
  const publisher = { ...store.publisher, newest: async () => ({ published: previous, entries: known }) };
  const prices = fakePrices();
  const started = clock.now();
  /** When which part was told to have ended, in ms. */
  const told: [string, number][] = [];
  const running = scheduledRun(
    kind,
    { catalogue: markets(KNOWN), prices, publisher, clock, random: () => 0.5, maxMarkets: 100, ...overrides },
    started + RUN_MS,
    (part) => told.push([part, clock.now() - started]),
  );
  await clock.advance(RUN_MS);
  return { ...(await running), published: store.published, previous, told };
}

describe('a full run', () => {
  it('that publishes does nothing else', async () => {
    const { full, prices, published } = await run('full', {});
    expect(full).toMatchObject({ result: { outcome: 'published' } });
    expect(prices).toBeUndefined();
    expect(published).toHaveLength(1);
  });

  it('that comes after a newer snapshot does nothing else', async () => {
    const superseded = async () => ({ outcome: 'superseded', bytes: 1, chunks: 1 }) as const;
    const { publisher } = fakePublisher();
    const { full, prices } = await run('full', { publisher: { ...publisher, publish: superseded } });
    expect(full).toMatchObject({ result: { outcome: 'superseded' } });
    expect(prices).toBeUndefined();
  });

  it('leaves no timer behind when it ends before it is late', async () => {
    const clock = new ManualClock();
    let waiting = 0;
    const after = (ms: number, callback: () => void) => {
      waiting += 1;
      const end = clock.after(ms, () => {
        waiting -= 1;
        callback();
      });
      return () => {
        waiting -= 1;
        end();
      };
    };
    const publisher = fakePublisher().publisher;
    const shared = { publisher, prices: fakePrices(), random: () => 0.5, maxMarkets: 100 };
    const running = scheduledRun(
      'full',
      { ...shared, catalogue: markets(KNOWN), clock: { now: clock.now, after } },
      clock.now() + RUN_MS,
    );
    await clock.advance(0);
    await running;
    // What is left is the patience with the histories, which nothing waits for any more.
    expect(waiting).toBe(1);
  });

  it.each([
    ['without a catalogue', down],
    ['that does not believe its catalogue', { ...markets(KNOWN / 2 - 1), find: async () => [] }],
  ])('%s publishes new prices of the markets that are known', async (_, catalogue) => {
    const { full, prices, published, previous } = await run('full', { catalogue });
    expect(full).not.toMatchObject({ result: { outcome: 'published' } });
    expect(prices).toMatchObject({ result: { outcome: 'published' } });
    expect(published.map(({ catalogueAsOf, entries }) => [catalogueAsOf, entries.length])).toEqual([
      [previous.catalogueAsOf, KNOWN],
    ]);
  });

  it('that waits for its catalogue publishes prices after half a minute, and everything when it is there', async () => {
    const clock = new ManualClock();
    const started = clock.now();
    const all = markets(KNOWN);
    const page = async () => {
      await sleep(clock, 60_000);
      return await all.page(undefined, 0);
    };
    const { full, prices, published, told } = await run('full', { catalogue: { ...all, page } }, { clock });
    expect(told).toEqual([
      ['prices', 30_000],
      ['full', 60_000],
    ]);
    expect([full, prices]).toMatchObject([
      { result: { outcome: 'published' } },
      { result: { outcome: 'published' } },
    ]);
    expect(published.map(({ asOf }) => asOf - started)).toEqual([30_000, 60_000]);
  });

  it('that waits for nothing but the prices leaves it at that', async () => {
    const clock = new ManualClock();
    const started = clock.now();
    const midpoints = async (tokens: readonly string[]) => {
      if (clock.now() < started + 40_000) throw new Error('down');
      return new Map(tokens.map((token) => [token, 0.5]));
    };
    const { prices, published } = await run('full', { prices: fakePrices({ midpoints }) }, { clock });
    expect(prices).toBeUndefined();
    expect(published.map(({ asOf }) => asOf - started)).toEqual([47_000]);
  });

  it('that is late keeps the prices in its memory itself, once', async () => {
    const clock = new ManualClock();
    const started = clock.now();
    const kept: number[] = [];
    const memory = fakeMemory({
      keep: async (asOf) => {
        kept.push(asOf - started);
        return true;
      },
    });
    const page = async () => {
      await sleep(clock, 60_000);
      return await markets(KNOWN).page(undefined, 0);
    };
    const { published } = await run('full', { catalogue: { ...down, page }, memory }, { clock });
    expect(published).toHaveLength(2);
    expect(kept).toEqual([60_000]);
  });

  it('that fails late has published prices once', async () => {
    const clock = new ManualClock();
    const page = async () => {
      await sleep(clock, 60_000);
      throw new Error('down');
    };
    const { full, published } = await run('full', { catalogue: { ...down, page } }, { clock });
    expect(full).toEqual({ error: new Error('down') });
    expect(published).toHaveLength(1);
  });

  it('says why neither could be done', async () => {
    const { full, prices } = await run('full', {
      catalogue: down,
      prices: fakePrices({ midpoints: () => Promise.reject(new Error('no prices')) }),
    });
    expect(full).toEqual({ error: new Error('down') });
    expect(prices).toEqual({
      error: new Error('Not all prices could be read: 1 of 1 calls for midpoints failed'),
    });
  });

  it('without a catalogue for an hour publishes nothing any more', async () => {
    const { prices, published } = await run('full', { catalogue: down }, { catalogueAgeMs: HOUR_MS + 1 });
    expect(prices).toBeUndefined();
    expect(published).toEqual([]);
  });
});

describe('a price run', () => {
  it('leaves the catalogue alone', async () => {
    const { full, prices } = await run('prices', { catalogue: down });
    expect(full).toBeUndefined();
    expect(prices).toMatchObject({ result: { outcome: 'published' } });
  });

  it('says why it could not be done, and does not ask for the catalogue', async () => {
    const { full, prices } = await run('prices', {
      prices: fakePrices({ midpoints: () => Promise.reject(new Error('no prices')) }),
    });
    expect(full).toBeUndefined();
    expect(prices).toEqual({
      error: new Error('Not all prices could be read: 1 of 1 calls for midpoints failed'),
    });
  });

  it('does what a full one does where the catalogue is an hour old', async () => {
    const { full, prices } = await run('prices', {}, { catalogueAgeMs: HOUR_MS + 1 });
    expect(full).toMatchObject({ result: { outcome: 'published' } });
    expect(prices).toBeUndefined();
  });
});
