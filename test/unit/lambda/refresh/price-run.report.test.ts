import { describe, expect, it } from '@jest/globals';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { Published } from '../../../../lambda/refresh/ports.ts';
import { refreshPrices } from '../../../../lambda/refresh/price-run.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { fakeMemory, fakePrices, fakePublisher, pagedCatalogue } from './fake-upstreams.ts';

const RUN_MS = 50_000;
const HOUR_MS = 3_600_000;

interface Setup {
  /** Of the snapshot that is there. */
  readonly published?: Partial<Published>;
  readonly entries?: readonly SnapshotEntry[];
  /** Whether the run has one that outlives it. @default true */
  readonly remembers?: boolean;
}

/** A price run over three markets, of which the order book has prices of the last two. */
async function priceRun({ published: info = {}, entries, remembers = true }: Setup = {}) {
  const clock = new ManualClock();
  const started = clock.now();
  const previous: Published = {
    id: 'previous',
    asOf: started - 60_000,
    markets: 3,
    counts: { skipped: 4, skippedByReason: { price: 4 }, withOneDayChange: 3, cataloguePriced: 0 },
    shrunkRuns: 0,
    ...info,
  };
  const known = entries ?? [1, 2, 3].map((n) => ({ ...snapshotEntry(n), midpoint: 0.45 }));
  const { publisher, published } = fakePublisher();
  const deadlines: Record<string, number> = {};
  const kept: unknown[] = [];
  const memory = fakeMemory({
    keep: async (...what) => {
      kept.push(what);
      await sleep(clock, 300);
      return false;
    },
  });
  const running = refreshPrices(
    {
      catalogue: pagedCatalogue([]),
      prices: fakePrices({
        midpoints: async (tokens, deadline) => {
          deadlines.midpoints = deadline - started;
          await sleep(clock, 1_000);
          return new Map(tokens.slice(1).map((token) => [token, 0.5]));
        },
      }),
      publisher: {
        ...publisher,
        newest: async (deadline) => {
          deadlines.newest = deadline - started;
          await sleep(clock, 100);
          return { published: previous, entries: known };
        },
        publish: async (snapshot, deadline) => {
          deadlines.publish = deadline - started;
          await sleep(clock, 400);
          return await publisher.publish(snapshot, deadline);
        },
      },
      clock,
      random: () => 0.5,
      maxMarkets: 3,
      ...(remembers ? { memory } : {}),
    },
    started + RUN_MS,
  );
  await clock.advance(RUN_MS);
  return { result: await running, started, snapshot: published[0], deadlines, kept, known };
}

describe('a run for the prices alone', () => {
  it('tells when the prices and when the catalogue were read', async () => {
    const { started, snapshot, result } = await priceRun({
      published: { catalogueAsOf: Date.parse('2026-11-21T11:58:00Z') },
    });
    expect(snapshot).toMatchObject({
      id: '20261121T120000100Z-80000000',
      asOf: started + 100,
      catalogueAsOf: Date.parse('2026-11-21T11:58:00Z'),
    });
    expect(result).toMatchObject({ snapshotId: snapshot?.id, durationMs: 1_500, publishMs: 1_400 });
  });

  it('counts what it found, and keeps what the catalogue run has counted', async () => {
    const { snapshot, result } = await priceRun();
    expect(result?.report).toMatchObject({ markets: 3, withOneDayChange: 2, cataloguePriced: 1 });
    expect(snapshot?.counts).toEqual({
      skipped: 4,
      skippedByReason: { price: 4 },
      withOneDayChange: 2,
      cataloguePriced: 1,
    });
    expect(snapshot).not.toHaveProperty('memory');
  });

  it('keeps what is known of the memory', async () => {
    const memory = { since: 1, oneDay: 0.5, sevenDay: 0.4, thirtyDay: 0.3 };
    expect((await priceRun({ published: { memory } })).snapshot?.memory).toEqual(memory);
  });

  it('hands the midpoints to the memory, and tells whether they are kept', async () => {
    const { result, kept, started, known } = await priceRun();
    const [, second, third] = known.map(({ market }) => market.clobTokenId);
    const midpoints = new Map([
      [second, 0.5],
      [third, 0.5],
    ]);
    expect(kept).toEqual([[started + 100, midpoints, started + RUN_MS]]);
    expect(result?.report.memoryKept).toBe(false);
  });

  it('without a memory has nothing that could fail', async () => {
    const { result } = await priceRun({ remembers: false });
    expect(result?.report.memoryKept).toBe(true);
  });

  it('leaves time to publish', async () => {
    const { deadlines } = await priceRun();
    expect(deadlines).toEqual({ newest: RUN_MS, midpoints: RUN_MS - 2_500, publish: RUN_MS });
  });

  it.each([
    ['whose catalogue is an hour old', { catalogueAsOf: -HOUR_MS }, true],
    ['whose catalogue is older', { catalogueAsOf: -HOUR_MS - 1 }, false],
    ['of an older version of the service, an hour old', { asOf: -HOUR_MS }, true],
    ['of an older version of the service, older', { asOf: -HOUR_MS - 1 }, false],
  ])('begins with a snapshot %s, or not', async (_, ages, begins) => {
    const { now } = new ManualClock();
    // Reading the snapshot takes 100 ms, which do not count.
    const published = Object.fromEntries(Object.entries(ages).map(([key, age]) => [key, now() + age]));
    expect((await priceRun({ published })).result !== undefined).toBe(begins);
  });

  it('does not begin with an empty snapshot', async () => {
    expect((await priceRun({ entries: [] })).result).toBeUndefined();
  });
});
