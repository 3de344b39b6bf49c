import { describe, expect, it } from '@jest/globals';
import { DynamoDbMemoryStore } from '../../../../lambda/price-memory/memory-store.ts';
import { RememberedHistory } from '../../../../lambda/price-memory/remembered-history.ts';
import { StoredPriceMemory } from '../../../../lambda/price-memory/stored-price-memory.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import type { StoreStep } from '../../../support/store-fault.ts';

const NOW = Date.parse('2026-11-21T12:00:05Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAY_SECONDS = 86_400;
const TOKENS = ['1001', '1002', '1003'];
const [TOKEN = ''] = TOKENS;
/** The other outcome of the first. */
const OTHER = '2001';
const NEVER = Number.MAX_SAFE_INTEGER;

/** A price that tells its time. */
const priceAt = (ms: number): number => (Math.floor(ms / (2 * MINUTE)) % 9_000) / 10_000;

/** A memory of runs every `step` ms since `from`, and whoever reads it now. */
async function memorySince(from: number, step = 2 * MINUTE, until = NOW) {
  let before: ((step: StoreStep) => Promise<void>) | undefined;
  let reads: string[] = [];
  const table = new MemoryTable({
    before: async (one) => {
      reads.push(JSON.stringify(one));
      await before?.(one);
    },
  });
  const storeAt = (now: () => number) =>
    new DynamoDbMemoryStore({ client: table.client, table: table.table, now });
  const memory = new StoredPriceMemory({ store: storeAt(() => 0), random: Math.random });
  await memory.open(from, NEVER);
  for (let time = from; time <= until; time += step) {
    await memory.keep(time, new Map(TOKENS.map((token) => [token, priceAt(time)])), NEVER);
  }
  reads = [];
  const problems: string[] = [];
  const reader = new RememberedHistory({
    store: storeAt(Date.now),
    now: () => NOW,
    yesTokenOf: async (token) => (token === OTHER ? TOKEN : undefined),
    onProblem: (message) => problems.push(message),
  });
  const points = (seconds = DAY_SECONDS, fidelity = 1, token = TOKEN, deadline = NEVER) =>
    reader.points(token, seconds, fidelity, deadline);
  const fail = (work: (step: StoreStep) => Promise<void>) => {
    before = work;
  };
  return { table, points, problems, fail, reads: () => reads };
}

describe('the history that the memory has', () => {
  it.each([
    ['a day', DAY_SECONDS, 32],
    ['half a day', DAY_SECONDS / 2, 16],
    ['an hour', 3_600, 2],
  ])('of %s is at most 48 true prices, ascending and evenly spaced', async (_, seconds, minutes) => {
    const { points } = await memorySince(NOW - 1.5 * DAY);
    const found = await points(seconds);
    expect(found.length).toBeGreaterThan(20);
    expect(found.length).toBeLessThanOrEqual(48);
    expect(found.map(({ p }) => p)).toEqual(found.map(({ t }) => priceAt(t * 1_000)));
    const times = found.map(({ t }) => t);
    const gaps = times.slice(1, -1).map((t, n) => t - (times[n] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([minutes * 60]));
    expect(times[0]).toBeGreaterThanOrEqual(NOW / 1_000 - seconds);
    expect(times.at(-1)).toBe(Math.floor(NOW / 1_000));
  });

  it('of the other of two outcomes is what is missing to one', async () => {
    const { points } = await memorySince(NOW - HOUR);
    const [yes, no] = [await points(), await points(DAY_SECONDS, 1, OTHER)];
    expect(yes.length).toBeGreaterThan(20);
    expect(no).toEqual(yes.map(({ t, p }) => ({ t, p: Number((1 - p).toFixed(6)) })));
    expect(await points(DAY_SECONDS, 1, '2002')).toEqual([]);
  });

  it('has no more points than were asked for', async () => {
    const { points } = await memorySince(NOW - 1.5 * DAY);
    expect(await points(DAY_SECONDS, 240)).toHaveLength(7);
  });

  it('has as many as ever where more were asked for than there may be', async () => {
    const { points } = await memorySince(NOW - HOUR);
    expect(await points(30 * DAY_SECONDS, 150)).toHaveLength(31);
  });

  it('of a service that is an hour old has all that there is, whatever the interval', async () => {
    const { points } = await memorySince(NOW - HOUR);
    const found = await points(90 * DAY_SECONDS);
    expect(found).toHaveLength(31);
    expect(found[0]?.t).toBe((NOW - HOUR) / 1_000 - ((NOW - HOUR) % 1_000) / 1_000);
  });

  it('finds the samples of a service that is refreshed every six minutes', async () => {
    const { points } = await memorySince(NOW - DAY, 6 * MINUTE);
    expect((await points()).length).toBeGreaterThan(40);
  });

  it('has nothing of tokens that it does not know, and nothing before the first run', async () => {
    const { points } = await memorySince(NOW - HOUR);
    expect(await points(DAY_SECONDS, 1, '999')).toEqual([]);
    const empty = new RememberedHistory({
      store: new DynamoDbMemoryStore({ client: new MemoryTable().client, table: 't', now: Date.now }),
      now: () => NOW,
    });
    expect(await empty.points(TOKEN, DAY_SECONDS, 1, NEVER)).toEqual([]);
  });

  it('reads the samples once for all tokens, and each roster once', async () => {
    const { points, reads } = await memorySince(NOW - DAY);
    await points();
    const first = reads();
    expect(first.length).toBeLessThanOrEqual(1 + 48 + 5);
    const before = first.length;
    await points(DAY_SECONDS, 1, TOKENS[1]);
    // The index alone.
    expect(reads().length - before).toBe(1);
  });

  it('asks again for the newest sample when it was not there', async () => {
    const { points, reads } = await memorySince(NOW - HOUR, 2 * MINUTE, NOW - 2 * MINUTE);
    const found = await points();
    expect(found.at(-1)?.t).toBe(Math.floor((NOW - 2 * MINUTE) / 1_000));
    const before = reads().length;
    await points();
    expect(reads().length - before).toBe(2);
  });
});

describe('a memory that cannot be read', () => {
  it('is empty, and whoever operates it is told', async () => {
    const { points, fail, problems } = await memorySince(NOW - HOUR);
    fail(() => Promise.reject(new Error('refused')));
    expect(await points()).toEqual([]);
    expect(problems).toEqual(['The price memory cannot be read']);
  });

  it('that loses one read has the other points, and that one next time', async () => {
    const { points, fail, problems } = await memorySince(NOW - HOUR);
    let count = 0;
    fail(async () => {
      count += 1;
      if (count === 10) throw new Error('lost');
    });
    expect((await points()).length).toBe(30);
    expect(problems).toHaveLength(1);
    expect((await points()).length).toBe(31);
  });

  it('that hangs is empty by the deadline', async () => {
    const { points, fail } = await memorySince(NOW - HOUR);
    fail(() => new Promise(() => {}));
    const began = performance.now();
    expect(await points(DAY_SECONDS, 1, TOKEN, Date.now() + 200)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('of which a sample is broken lacks that point', async () => {
    const { table, points } = await memorySince(NOW - HOUR);
    const broken = [...table.items].find(([, item]) => item.pk?.S?.startsWith('MEMORY#SAMPLE#'));
    const [name = '', item] = broken ?? [];
    table.items.set(name, { ...item, data: { B: new Uint8Array([1, 2, 3]) } });
    expect((await points()).length).toBe(30);
  });
});
