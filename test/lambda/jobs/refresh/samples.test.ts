import { describe, expect, it } from '@jest/globals';
import type { ChangeWindow } from '../../../../lambda/core/domain/change.ts';
import { encodeText } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { Samples } from '../../../../lambda/jobs/refresh/samples.ts';
import { FakeStore, silent } from './fake-store.ts';

// Every ten minutes, the refresher stores a sample in a table: the midpoints of all markets at that
// time, by a key. A price change over a day, 7 or 30 days compares the midpoint of now with that of
// the sample at the start of this window.

/** Unix seconds. */
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY = 86_400;
const MINUTE = 60;
/** A deadline that never comes. */
const LATER = Number.MAX_SAFE_INTEGER;

function setup() {
  const store = new FakeStore();
  const samples = new Samples(store, silent);
  const put = (n: number, prices: unknown) =>
    store.put('SAMPLE', { n, data: encodeText(JSON.stringify({ prices })) });
  const load = (seconds = NOW) => samples.load(seconds * 1_000, LATER);
  /** The price at the start of the window that ends at this time. */
  const price = (seconds = NOW, window: ChangeWindow = 'oneDay', key = 'a') =>
    samples.find(key, window, seconds * 1_000);
  return { store, put, samples, load, price };
}

describe('the price at the start of a window', () => {
  it('is that of the newest sample before the start, for each window', async () => {
    const { put, load, price } = setup();
    // Three samples around each start: one too early, the right one, one too late.
    for (const days of [1, 7, 30]) {
      await put(NOW - days * DAY - 20 * MINUTE, { a: 0.1 });
      await put(NOW - days * DAY - 5 * MINUTE, { a: days / 100 });
      await put(NOW - days * DAY + 5 * MINUTE, { a: 0.9 });
    }
    await load();
    const windows = ['oneDay', 'sevenDay', 'thirtyDay'] as const;
    expect(windows.map((window) => price(NOW, window))).toMatchObject([
      { price: 0.01 },
      { price: 0.07 },
      { price: 0.3 },
    ]);
    expect(price(NOW, 'oneDay', 'b')).toBe('unknown');
    // A later run of the same process loads newer samples. The older ones remain.
    await load(NOW + 10 * MINUTE);
    expect(price()).toMatchObject({ price: 0.01 });
  });

  it.each([0, 30 * MINUTE])('is that of a sample %i s before the start', async (age) => {
    const { put, load, price } = setup();
    await put(NOW - DAY - age, { a: 0.4 });
    await load();
    expect(price()).toEqual({ price: 0.4, ageMs: age * 1_000 });
  });

  it.each([
    { when: 'more than 30 minutes before the start', time: NOW - DAY - 30 * MINUTE - 1 },
    { when: 'after the start', time: NOW - DAY + 1 },
  ])('is unknown if the only sample is from $when', async ({ time }) => {
    const { put, load, price } = setup();
    await put(time, { a: 0.4 });
    await load();
    expect(price()).toBe('unknown');
  });

  it('is unknown when the run takes so long that the sample becomes too old', async () => {
    const { put, load, price } = setup();
    await put(NOW - DAY - 29 * MINUTE, { a: 0.4 });
    await load();
    expect(price(NOW + 30)).toMatchObject({ price: 0.4 });
    expect(price(NOW + 90)).toBe('unknown');
  });

  it('stays known while the table does not respond', async () => {
    const { store, put, load, price } = setup();
    await put(NOW - DAY, { a: 0.4 });
    await load();
    store.broken = true;
    await load(NOW + MINUTE);
    expect(price(NOW + MINUTE)).toMatchObject({ price: 0.4 });
  });

  it('is that of the sample before a broken one, and later that of the sample after it', async () => {
    const { store, put, load, price } = setup();
    await put(NOW - DAY - 20 * MINUTE, { a: 0.4 });
    await store.put('SAMPLE', { n: NOW - DAY - 10 * MINUTE, data: Buffer.from('not zstd') });
    await put(NOW - DAY, { a: 0.6 });
    // First the window starts between the broken sample and the newest one, then at the newest.
    await load(NOW - 5 * MINUTE);
    expect(price(NOW - 5 * MINUTE)).toEqual({ price: 0.4, ageMs: 15 * MINUTE * 1_000 });
    await load(NOW);
    expect(price(NOW)).toEqual({ price: 0.6, ageMs: 0 });
  });

  it.each([
    { stored: 0, expected: { price: 0, ageMs: 0 } },
    { stored: 1, expected: { price: 1, ageMs: 0 } },
    { stored: null, expected: 'no midpoint' },
    { stored: -0.1, expected: 'unknown' },
    { stored: 1.1, expected: 'unknown' },
    { stored: '0.5', expected: 'unknown' },
    { stored: {}, expected: 'unknown' },
  ])('for the stored value $stored is $expected', async ({ stored, expected }) => {
    const { put, load, price } = setup();
    await put(NOW - DAY, { a: stored });
    await load();
    expect(price()).toEqual(expected);
  });
});

describe('saving samples', () => {
  const prices = new Map([['a', 0.4]]);
  const save = (samples: Samples, seconds: number) => samples.save(seconds * 1_000, prices, LATER);

  it('stores one every ten minutes, whichever container runs', async () => {
    const { store, samples } = setup();
    const containers = [samples, new Samples(store, silent)];
    // A run every two minutes, in two containers in turn.
    for (let run = 0; run <= 10; run++)
      await containers[run % 2]?.save((NOW + 2 * run * MINUTE) * 1_000, prices, LATER);
    expect(store.items.get('SAMPLE')?.map(({ n }) => n - NOW)).toEqual([0, 600, 1_200]);
  });

  it('stores the next one after 570 s at the earliest', async () => {
    // Less than ten minutes, because a run's prices can arrive some seconds earlier than others.
    const { store, samples } = setup();
    for (const seconds of [0, 569, 570]) await save(samples, NOW + seconds);
    expect(store.items.get('SAMPLE')?.map(({ n }) => n - NOW)).toEqual([0, 570]);
  });

  it('does not throw when the table does not respond, and tries again in the next run', async () => {
    const { store, samples } = setup();
    store.broken = true;
    await save(samples, NOW);
    store.broken = false;
    await save(samples, NOW + 120);
    expect(store.items.get('SAMPLE')).toHaveLength(1);
  });
});
