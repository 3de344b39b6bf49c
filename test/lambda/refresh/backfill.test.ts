import { describe, expect, it } from '@jest/globals';
import type { PricePoint } from '../../../lambda/domain/change.ts';
import { MAX_CHUNK_BYTES } from '../../../lambda/platform/dynamodb.ts';
import { Backfill } from '../../../lambda/refresh/backfill.ts';
import { decodePrices, encodePrices } from '../../../lambda/refresh/stored-prices.ts';
import { Dice } from '../../support/dice.ts';
import { FakeStore, silent } from './refresh-fakes.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const LATER = Number.MAX_SAFE_INTEGER;

function setup() {
  const store = new FakeStore();
  return { store, backfill: new Backfill(store, silent), other: () => new Backfill(store, silent) };
}

/** A point each `step` seconds; the price is the share of the span that has passed. */
function risingHistory(from: number, until: number, step: number): PricePoint[] {
  const count = Math.floor((until - from) / step) + 1;
  return Array.from({ length: count }, (_, n) => ({ t: from + n * step, p: n / count }));
}

describe('the price at the start of a window', () => {
  it('is that of the last point at or before it, or of the first one after it within 5 % of the window', () => {
    const { backfill } = setup();
    const record = (key: string, t: number) => backfill.recordHistory(key, NOW - 36 * HOUR, NOW, [{ t, p: 0.3 }], NOW);
    record('before', NOW - DAY - 10 * HOUR);
    record('soon', NOW - DAY + 72 * 60);
    record('late', NOW - DAY + 72 * 60 + 1);
    expect(backfill.startPrice('before', 'oneDay', NOW)).toBe(0.3);
    expect(backfill.startPrice('soon', 'oneDay', NOW)).toBe(0.3);
    expect(backfill.startPrice('late', 'oneDay', NOW)).toBeUndefined();
  });

  it('is unknown outside of the time that was requested', () => {
    const { backfill } = setup();
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, [{ t: NOW - 36 * HOUR, p: 0.3 }], NOW);
    expect(backfill.startPrice('a', 'oneDay', NOW + DAY)).toBe(0.3);
    expect(backfill.startPrice('a', 'oneDay', NOW + DAY + 1)).toBeUndefined();
    expect(backfill.startPrice('a', 'sevenDay', NOW)).toBeUndefined();
    expect(backfill.covers('a', NOW, NOW + DAY)).toBe(true);
    expect(backfill.covers('a', NOW + 1, NOW + DAY)).toBe(false);
  });

  it('is exact to the quarter of an hour in the last day, two hours in the week, six hours in the month', () => {
    const { backfill } = setup();
    const history = risingHistory(NOW - 30.5 * DAY, NOW, 5 * 60);
    backfill.recordHistory('a', NOW - 30.5 * DAY, NOW, history, NOW);
    const truth = (t: number) => history.findLast((point) => point.t <= t)?.p ?? Number.NaN;
    const pricePerHour = 1 / (30.5 * 24);
    for (const [window, days, hours] of [
      ['oneDay', 1, 0.25],
      ['sevenDay', 7, 2],
      ['thirtyDay', 30, 6],
    ] as const) {
      for (let minutes = 0; minutes < 12 * 60; minutes += 7) {
        const asOf = NOW + minutes * 60;
        const error = truth(asOf - days * DAY) - (backfill.startPrice('a', window, asOf) ?? Number.NaN);
        expect(error).toBeGreaterThanOrEqual(-0.00001);
        expect(error).toBeLessThanOrEqual(hours * pricePerHour + 0.00001);
      }
    }
  });

  it('comes from the day and the month, which are recorded one after the other', () => {
    const { backfill } = setup();
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, [{ t: NOW - 30 * HOUR, p: 0.3 }], NOW);
    const later = NOW + 120;
    const month = later - 36 * HOUR;
    backfill.recordHistory('a', NOW - 30.5 * DAY, month, [{ t: NOW - 8 * DAY, p: 0.2 }], later);
    expect(backfill.startPrice('a', 'oneDay', later)).toBe(0.3);
    expect(backfill.startPrice('a', 'sevenDay', later)).toBe(0.2);
    // Between the two, the last point of the month holds until the first of the day.
    expect(backfill.startPrice('a', 'oneDay', NOW - 9 * HOUR)).toBe(0.2);
  });
});

describe('an empty history', () => {
  it('counts as known for an hour, for its kind only', () => {
    const { backfill } = setup();
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, [], NOW);
    expect(backfill.covers('a', NOW - DAY, NOW + HOUR - 1)).toBe(true);
    expect(backfill.covers('a', NOW - DAY, NOW + HOUR)).toBe(false);
    expect(backfill.covers('a', NOW - 7 * DAY, NOW)).toBe(false);
    expect(backfill.covers('b', NOW - DAY, NOW)).toBe(false);
  });

  it('is one whose points all lie outside of the span, as the point that upstream stamps with the time of now', () => {
    const { backfill } = setup();
    const outside = [-120, NOW - 30 * DAY - 1, NOW + 1].map((t) => ({ t, p: 0.5 }));
    backfill.recordHistory('a', NOW - 30 * DAY, NOW - 36 * HOUR, outside, NOW);
    expect(backfill.covers('a', NOW - 7 * DAY, NOW)).toBe(true);
    expect(backfill.startPrice('a', 'sevenDay', NOW)).toBeUndefined();
  });

  it('is not stored', async () => {
    const { store, backfill } = setup();
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, [], NOW);
    await backfill.save(NOW * 1_000, LATER);
    expect(store.items.size).toBe(0);
  });
});

describe('what is stored', () => {
  const points = [
    { t: NOW - 30 * HOUR, p: 0.123456 },
    { t: NOW - 20 * HOUR, p: 1 },
    { t: NOW - 10 * HOUR, p: 0 },
  ];

  it('is the same in another container', async () => {
    const { backfill, other } = setup();
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, points, NOW);
    backfill.recordHistory('a', NOW - 30 * DAY, NOW - 36 * HOUR, [{ t: NOW - 20 * DAY, p: 0.7 }], NOW);
    await backfill.save(NOW * 1_000, LATER);
    const read = other();
    await read.load(NOW * 1_000, LATER);
    for (let hours = -20; hours <= 24; hours++) {
      const asOf = NOW + hours * HOUR;
      expect(read.startPrice('a', 'oneDay', asOf)).toBe(backfill.startPrice('a', 'oneDay', asOf));
      expect(read.startPrice('a', 'sevenDay', asOf)).toBe(backfill.startPrice('a', 'sevenDay', asOf));
    }
    expect(read.startPrice('a', 'oneDay', NOW)).toBe(0.12346);
  });

  it('reaches containers that are running', async () => {
    const { backfill, other } = setup();
    const running = other();
    await running.load(NOW * 1_000, LATER);
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, points, NOW);
    await backfill.save(NOW * 1_000 + 60_000, LATER);
    await running.load(NOW * 1_000 + 120_000, LATER);
    expect(running.startPrice('a', 'oneDay', NOW)).toBe(0.12346);
  });

  it('is written once, by the next call when the table does not respond', async () => {
    const { store, backfill } = setup();
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, points, NOW);
    store.broken = true;
    await backfill.save(NOW * 1_000, LATER);
    store.broken = false;
    await backfill.save(NOW * 1_000 + 1, LATER);
    await backfill.save(NOW * 1_000 + 2, LATER);
    expect(store.items.get('BACKFILL')).toHaveLength(1);
  });

  it('fits into items whatever its size, and uses few bytes a market', async () => {
    const { store, backfill, other } = setup();
    const dice = new Dice(7);
    const keys = Array.from({ length: 2_000 }, (_, n) => `market ${n}`);
    for (const key of keys) {
      const history = risingHistory(NOW - 36 * HOUR, NOW, 900).map(({ t }) => ({ t, p: dice.between(0, 1) }));
      backfill.recordHistory(key, NOW - 36 * HOUR, NOW, history, NOW);
    }
    await backfill.save(NOW * 1_000, LATER);
    const items = store.items.get('BACKFILL') ?? [];
    expect(items.length).toBeGreaterThan(1);
    expect(Math.max(...items.map(({ data }) => data.length))).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
    expect(new Set(items.map(({ n }) => n)).size).toBe(items.length);
    const read = other();
    await read.load(NOW * 1_000, LATER);
    for (const key of keys) {
      expect(read.startPrice(key, 'oneDay', NOW)).toBe(backfill.startPrice(key, 'oneDay', NOW));
    }
  });

  it('leaves out points that repeat the price before them', async () => {
    const { store, backfill } = setup();
    const quiet = risingHistory(NOW - 36 * HOUR, NOW, 900).map(({ t }) => ({ t, p: 0.5 }));
    backfill.recordHistory('a', NOW - 36 * HOUR, NOW, quiet, NOW);
    await backfill.save(NOW * 1_000, LATER);
    const [item] = store.items.get('BACKFILL') ?? [];
    const stored = decodePrices(item?.data ?? new Uint8Array());
    expect(stored).toEqual([['a', NOW - 36 * HOUR, NOW, [NOW - 36 * HOUR], [50_000]]]);
  });
});

describe('stored items that are broken', () => {
  const good = ['a', NOW - 36 * HOUR, NOW, [NOW - 30 * HOUR, 60], [10_000, 20_000]];

  it.each([
    ['bytes that are not compressed', Buffer.from('{}')],
    ['null', encodePrices(null)],
  ])('are skipped: %s', async (_what, data) => {
    const { store, backfill } = setup();
    await store.put('BACKFILL', { n: 1, data });
    await store.put('BACKFILL', { n: 2, data: encodePrices([good]) });
    await backfill.load(NOW * 1_000, LATER);
    expect(backfill.startPrice('a', 'oneDay', NOW)).toBe(0.2);
  });

  it.each([
    ['nothing', []],
    ['no lists', [1, 2, 3, 4]],
    ['more prices than times', [NOW - DAY, NOW, [1], [1, 2]]],
    ['a negative time', [NOW - 36 * HOUR, NOW, [-120], [1]]],
    ['a time that goes back', [NOW - 36 * HOUR, NOW, [NOW - 30 * HOUR, -60], [1, 2]]],
    ['a price above 1', [NOW - 36 * HOUR, NOW, [NOW - 30 * HOUR], [100_001]]],
    ['a price that is no number', [NOW - 36 * HOUR, NOW, [NOW - 30 * HOUR], ['0.5']]],
    ['a span without an end', [NOW - 36 * HOUR, null, [NOW - 30 * HOUR], [1]]],
  ])('lose the markets that cannot be read, and no others: %s', async (_what, stretch) => {
    const { store, backfill } = setup();
    await store.put('BACKFILL', { n: 1, data: encodePrices([['bad', ...stretch], good]) });
    await backfill.load(NOW * 1_000, LATER);
    expect(backfill.startPrice('a', 'oneDay', NOW)).toBe(0.2);
    expect(backfill.covers('bad', NOW - DAY, NOW)).toBe(false);
  });

  it('are as good as none while the table does not respond, and are read by the next run', async () => {
    const { store, backfill } = setup();
    await store.put('BACKFILL', { n: 1, data: encodePrices([good]) });
    store.broken = true;
    await backfill.load(NOW * 1_000, LATER);
    expect(backfill.startPrice('a', 'oneDay', NOW)).toBeUndefined();
    store.broken = false;
    await backfill.load(NOW * 1_000 + 120_000, LATER);
    expect(backfill.startPrice('a', 'oneDay', NOW)).toBe(0.2);
  });
});

describe('a table that is slow', () => {
  it('gives what it has returned until the deadline; the next run goes on from there', async () => {
    const { store, backfill } = setup();
    const old = (NOW - 20 * DAY) * 1_000;
    for (const [n, key] of ['a', 'b', 'c', 'd'].entries()) {
      const data = encodePrices([[key, NOW - 36 * HOUR, NOW, [NOW - 30 * HOUR], [20_000]]]);
      await store.put('BACKFILL', { n: old + n, data });
    }
    store.failsAfter = 2;
    await backfill.load(NOW * 1_000, LATER);
    const known = () => [...'abcd'].filter((key) => backfill.startPrice(key, 'oneDay', NOW) !== undefined).join('');
    expect(known()).toBe('ab');
    await backfill.load(NOW * 1_000 + 60_000, LATER);
    expect(known()).toBe('abc');
    store.failsAfter = Number.POSITIVE_INFINITY;
    await backfill.load(NOW * 1_000 + 120_000, LATER);
    expect(known()).toBe('abcd');
    await backfill.load(NOW * 1_000 + 180_000, LATER);
    expect(store.queries.map(({ from }) => from)).toEqual([0, old + 1, old + 2, NOW * 1_000 + 120_000 - 600_000]);
  });

  it('cannot hide an item that another container stores late, with an earlier time', async () => {
    const { store, backfill } = setup();
    const data = (key: string) => encodePrices([[key, NOW - 36 * HOUR, NOW, [NOW - 30 * HOUR], [20_000]]]);
    await store.put('BACKFILL', { n: NOW * 1_000 - 1, data: data('a') });
    await store.put('BACKFILL', { n: NOW * 1_000, data: data('b') });
    store.failsAfter = 1;
    await backfill.load(NOW * 1_000, LATER);
    store.failsAfter = Number.POSITIVE_INFINITY;
    await store.put('BACKFILL', { n: NOW * 1_000 - 500_000, data: data('late') });
    await backfill.load(NOW * 1_000 + 60_000, LATER);
    expect(backfill.startPrice('late', 'oneDay', NOW)).toBe(0.2);
    expect(backfill.startPrice('b', 'oneDay', NOW)).toBe(0.2);
  });
});

describe('a container that runs for long', () => {
  const month = { from: NOW - 30 * DAY, until: NOW };
  const record = (backfill: Backfill, key: string) =>
    backfill.recordHistory(key, month.from, month.until, risingHistory(month.from, month.until, 6 * HOUR), NOW);
  const loadAt = (backfill: Backfill, seconds: number) => backfill.load(seconds * 1_000, LATER);

  it('forgets prices after 31 days, except the last one before, which is the price then', async () => {
    const { backfill } = setup();
    record(backfill, 'a');
    const at = NOW + 11 * DAY + HOUR;
    const before = backfill.startPrice('a', 'thirtyDay', at - DAY + 60);
    expect(before).toBeGreaterThan(0);
    await loadAt(backfill, at);
    expect(backfill.startPrice('a', 'thirtyDay', at - DAY + 60)).toBe(before);
    expect(backfill.covers('a', at - 31 * DAY, at)).toBe(true);
    expect(backfill.covers('a', at - 31 * DAY - 1, at)).toBe(false);
    await loadAt(backfill, NOW + 31 * DAY);
    expect(backfill.covers('a', NOW, NOW + 31 * DAY)).toBe(true);
    await loadAt(backfill, NOW + 31 * DAY + 1);
    expect(backfill.covers('a', NOW, NOW + 31 * DAY)).toBe(false);
  });

  it('forgets markets that no run has read for six hours', async () => {
    const { backfill } = setup();
    record(backfill, 'listed');
    record(backfill, 'closed');
    for (let minutes = 2; minutes <= 364; minutes += 2) {
      const now = NOW + minutes * 60;
      await loadAt(backfill, now);
      expect(backfill.startPrice('listed', 'oneDay', now)).toBeDefined();
    }
    expect(backfill.startPrice('closed', 'oneDay', NOW)).toBeUndefined();
  });

  it('does not forget them in a pause without any run', async () => {
    const { backfill } = setup();
    record(backfill, 'a');
    await loadAt(backfill, NOW);
    await loadAt(backfill, NOW + 11 * HOUR);
    expect(backfill.startPrice('a', 'oneDay', NOW)).toBeDefined();
  });
});
