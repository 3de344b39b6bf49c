import { describe, expect, it, jest } from '@jest/globals';
import { MAX_CHUNK_BYTES } from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { decodeText, encodeText, priceKey } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { Dice } from '../../../support/dice.ts';
import {
  at,
  backfillRig,
  DAY,
  DAY_FROM,
  HOUR,
  KEY,
  NOW,
  OTHER,
  risingHistory,
} from './backfill-rig.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

// The backfill has the price histories that the refresher read from upstream. Each run stores the
// new ones in the table for other containers: the prices of a day in items of the partition
// `BACKFILL_DAY`, those of a month in `BACKFILL_MONTH`.
//
// An item has a line for each history: the key of its token, the span, the time of the first point
// and the steps to the others, and the prices in units of 0.00001. For example, with `a` for the key:
//
//     a[1795082400,1795212000,[1795104000,60],[10000,20000]]

/** The bytes of an item with these lines: each a key, and the rest of the line. */
const itemOf = (...lines: (readonly [key: string, ...unknown[]])[]) =>
  encodeText(lines.map(([key, ...history]) => key + JSON.stringify(history)).join('\n'));
/** A history that can be read: the price 0.1 of 30 hours ago, and 0.2 a minute later. */
const readable = (key: string) =>
  [key, DAY_FROM, NOW, [NOW - 30 * HOUR, 60], [10_000, 20_000]] as const;

describe('what is stored', () => {
  const points = [at(NOW - 26 * HOUR, 0.123456), at(NOW - 20 * HOUR, 1), at(NOW - 10 * HOUR, 0)];

  it('reaches containers that are running, for the markets of the newest snapshot only', async () => {
    const { backfill, other } = backfillRig();
    const running = other();
    await running.loadAt(NOW, KEY);
    for (const key of [KEY, OTHER]) backfill.recordDay(points, key);
    await backfill.saveAt(NOW + 60);
    await running.loadAt(NOW + 120, KEY);
    expect([KEY, OTHER].map((key) => running.priceAt(NOW, 'oneDay', key))).toEqual([
      0.12346,
      undefined,
    ]);
  });

  it('is replaced by the history with the later end, even if that was stored first', async () => {
    const { backfill, other } = backfillRig();
    const later = NOW + 30 * HOUR;
    backfill.recordDay([at(later - 26 * HOUR, 0.2)], KEY, later);
    // Stored first.
    await backfill.saveAt(NOW - 30 * HOUR);
    backfill.recordDay([at(NOW - 26 * HOUR, 0.1)], KEY, NOW);
    await backfill.saveAt(NOW);
    const read = other();
    await read.loadAt(later);
    expect(read.priceAt(later)).toBe(0.2);
  });

  it('is written once, by the next call when the table does not respond', async () => {
    const { store, backfill } = backfillRig();
    backfill.recordDay(points);
    store.broken = true;
    await backfill.saveAt();
    store.broken = false;
    await backfill.saveAt(NOW + 1);
    await backfill.saveAt(NOW + 2);
    expect(store.items.get('BACKFILL_DAY')).toHaveLength(1);
  });

  it('fits into items whatever its size', async () => {
    const { store, backfill, other } = backfillRig();
    const dice = new Dice(7);
    const keys = Array.from({ length: 2_000 }, (_, n) => priceKey(String(n)));
    for (const key of keys) {
      const history = risingHistory(DAY_FROM, NOW, 900).map(({ t }) => at(t, dice.between(0, 1)));
      backfill.recordDay(history, key);
    }
    await backfill.saveAt();
    const items = store.items.get('BACKFILL_DAY') ?? [];
    expect(Math.max(...items.map(({ data }) => data.length))).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
    expect(new Set(items.map(({ n }) => n)).size).toBe(items.length);
    const read = other();
    await read.loadAt();
    const prices = (one: typeof backfill) => keys.map((key) => one.priceAt(NOW, 'oneDay', key));
    expect(prices(read)).toEqual(prices(backfill));
  });

  it('leaves out points that repeat the price before them, except those of the last 90 minutes', async () => {
    const { store, backfill } = backfillRig();
    const flat = risingHistory(DAY_FROM, NOW, 900).map(({ t }) => at(t, 0.5));
    backfill.recordDay(flat);
    await backfill.saveAt();
    const [item] = store.items.get('BACKFILL_DAY') ?? [];
    // Of 145 points, the first and the last seven remain: a step of 34.5 hours, then 15 minutes
    // each. Besides the prices, the line has the time of the last jump: 0 for none.
    const steps = [DAY_FROM, 34.5 * HOUR, ...Array(6).fill(900)];
    const series = [DAY_FROM, NOW, steps, Array(8).fill(50_000), 0];
    expect(decodeText(item?.data ?? new Uint8Array())).toBe(`${KEY}${JSON.stringify(series)}`);
  });
});

describe('stored items that are broken', () => {
  const START = NOW - 30 * HOUR;

  it.each([
    { what: 'no values', history: [] },
    { what: 'no lists', history: [1, 2] },
    { what: 'more prices than times', history: [NOW - DAY, NOW, [1], [1, 2]] },
    { what: 'a time that goes back', history: [DAY_FROM, NOW, [START, -60], [1, 2]] },
    { what: 'a time with a fraction', history: [DAY_FROM, NOW, [START + 0.5], [1]] },
    { what: 'a price above 1', history: [DAY_FROM, NOW, [START], [100_001]] },
    { what: 'a price that is no number', history: [DAY_FROM, NOW, [START], ['0.5']] },
    { what: 'a span without an end', history: [DAY_FROM, null, [START], [1]] },
  ])('lose only a history with $what', async ({ history }) => {
    const { store, backfill } = backfillRig();
    const data = itemOf([OTHER, ...history], readable(KEY));
    await store.put('BACKFILL_DAY', { n: 1, data });
    await backfill.loadAt();
    expect(backfill.priceAt()).toBe(0.2);
    expect(backfill.coversAt(NOW, 'oneDay', OTHER)).toBe(false);
  });

  it.each([
    { what: 'not compressed', data: Buffer.from('{}') },
    { what: 'cut', data: encodeText(`${OTHER}[1,`) },
    { what: 'empty', data: encodeText('') },
  ])('do not hide the next item when they are $what', async ({ data }) => {
    const { store, backfill } = backfillRig();
    await store.put('BACKFILL_DAY', { n: 2, data });
    await store.put('BACKFILL_DAY', { n: 1, data: itemOf(readable(KEY)) });
    await backfill.loadAt();
    expect(backfill.priceAt()).toBe(0.2);
    expect(backfill.coversAt(NOW, 'oneDay', OTHER)).toBe(false);
  });
});

// The number `n` of an item is the Unix time in ms at which it was stored, more or less.
it('a slow table is read until the deadline, and the next run goes on from there', async () => {
  const { store, backfill } = backfillRig();
  const old = (NOW - 20 * HOUR) * 1_000;
  const keys = ['a', 'b', 'c', 'd'].map(priceKey);
  for (const [n, key] of keys.entries())
    await store.put('BACKFILL_DAY', { n: old + n, data: itemOf(readable(key)) });
  const known = () => keys.filter((key) => backfill.coversAt(NOW, 'oneDay', key)).length;
  // Each run reads two of the four items.
  store.failsAfter = 2;
  await backfill.loadAt();
  expect(known()).toBe(2);
  expect(backfill.isLoaded('day')).toBe(false);
  await backfill.loadAt(NOW + 60);
  expect(known()).toBe(4);
  expect(backfill.isLoaded('day')).toBe(true);
  // Other containers can store an item up to ten minutes after its `n`, so the third run begins ten
  // minutes before the second one.
  await backfill.loadAt(NOW + 120);
  const days = store.queries.filter(({ partition }) => partition === 'BACKFILL_DAY');
  expect(days.map(({ from }) => from)).toEqual([0, old + 2, (NOW + 60 - 600) * 1_000]);
  store.broken = true;
  await backfill.loadAt(NOW + 180);
  expect(backfill.isLoaded('day')).toBe(true);
});
