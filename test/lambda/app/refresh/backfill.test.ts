import { describe, expect, it } from '@jest/globals';
import { Backfill } from '../../../../lambda/app/refresh/backfill.ts';
import { decodeText, encodeText, priceKey } from '../../../../lambda/app/refresh/stored-prices.ts';
import type { PricePoint } from '../../../../lambda/core/domain/change.ts';
import { MAX_CHUNK_BYTES } from '../../../../lambda/io/platform/dynamodb.ts';
import { Dice } from '../../../support/dice.ts';
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

const KEY = priceKey('a');
const OTHER = priceKey('b');
const DAY_FROM = NOW - 36 * HOUR;
const MONTH_FROM = NOW - 30.5 * DAY;
const at = (t: number, p: number) => ({ t, p });

describe('the price at the start of a window', () => {
  it('is unknown outside of the time that was requested', () => {
    const { backfill } = setup();
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points: [at(DAY_FROM, 0.3)] });
    expect(backfill.startPrice(KEY, 'oneDay', (NOW + DAY) * 1_000)).toBe(0.3);
    expect(backfill.startPrice(KEY, 'oneDay', (NOW + DAY + 1) * 1_000)).toBeUndefined();
    expect(backfill.startPrice(KEY, 'oneDay', (NOW - 12 * HOUR) * 1_000)).toBe(0.3);
    expect(backfill.startPrice(KEY, 'oneDay', (NOW - 12 * HOUR - 1) * 1_000)).toBeUndefined();
    expect(backfill.startPrice(KEY, 'sevenDay', NOW * 1_000)).toBeUndefined();
    expect(backfill.covers(KEY, 'oneDay', (NOW + DAY) * 1_000)).toBe(true);
    expect(backfill.covers(KEY, 'oneDay', (NOW + DAY + 1) * 1_000)).toBe(false);
  });

  it('is exact to the quarter of an hour in the last day, two hours in the week, six hours in the month', () => {
    const { backfill } = setup();
    const history = risingHistory(MONTH_FROM, NOW, 5 * 60);
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points: history });
    backfill.recordHistory('month', KEY, { from: MONTH_FROM, until: NOW, points: history });
    const truth = (t: number) => history.findLast((point) => point.t <= t)?.p ?? Number.NaN;
    const pricePerHour = 1 / (30.5 * 24);
    for (const [window, days, hours] of [
      ['oneDay', 1, 0.25],
      ['sevenDay', 7, 2],
      ['thirtyDay', 30, 6],
    ] as const) {
      for (let minutes = 0; minutes < 12 * 60; minutes += 7) {
        const asOf = NOW + minutes * 60;
        const error = truth(asOf - days * DAY) - (backfill.startPrice(KEY, window, asOf * 1_000) ?? Number.NaN);
        expect(error).toBeGreaterThanOrEqual(-0.00001);
        expect(error).toBeLessThanOrEqual(hours * pricePerHour + 0.00001);
      }
    }
  });
});

describe('an empty history', () => {
  it('counts as known for an hour, for its kind only', () => {
    const { backfill } = setup();
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points: [] });
    expect(backfill.covers(KEY, 'oneDay', (NOW + HOUR - 1) * 1_000)).toBe(true);
    expect(backfill.covers(KEY, 'oneDay', (NOW + HOUR) * 1_000)).toBe(false);
    expect(backfill.covers(KEY, 'sevenDay', NOW * 1_000)).toBe(false);
    expect(backfill.covers(OTHER, 'oneDay', NOW * 1_000)).toBe(false);
  });

  it('is one whose points all lie outside of the span, as the point that upstream stamps with the time of now', () => {
    const { backfill } = setup();
    const outside = [-120, MONTH_FROM - 1, NOW + 1].map((t) => at(t, 0.5));
    backfill.recordHistory('month', KEY, { from: MONTH_FROM, until: NOW, points: outside });
    expect(backfill.covers(KEY, 'sevenDay', NOW * 1_000)).toBe(true);
    expect(backfill.startPrice(KEY, 'sevenDay', NOW * 1_000)).toBeUndefined();
  });

  it('is not stored', async () => {
    const { store, backfill } = setup();
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points: [] });
    await backfill.save(NOW * 1_000, LATER);
    expect(store.items.size).toBe(0);
  });
});

describe('what is stored', () => {
  const points = [at(NOW - 30 * HOUR, 0.123456), at(NOW - 20 * HOUR, 1), at(NOW - 10 * HOUR, 0)];

  it('is the same in another container', async () => {
    const { backfill, other } = setup();
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points });
    backfill.recordHistory('month', KEY, {
      from: MONTH_FROM,
      until: NOW,
      points: [at(NOW - 20 * DAY, 0.7), ...points],
    });
    await backfill.save(NOW * 1_000, LATER);
    const read = other();
    await read.load(undefined, NOW * 1_000, LATER);
    for (let hours = -20; hours <= 24; hours++) {
      const asOf = NOW + hours * HOUR;
      expect(read.startPrice(KEY, 'oneDay', asOf * 1_000)).toBe(backfill.startPrice(KEY, 'oneDay', asOf * 1_000));
      expect(read.startPrice(KEY, 'sevenDay', asOf * 1_000)).toBe(backfill.startPrice(KEY, 'sevenDay', asOf * 1_000));
    }
    expect(read.startPrice(KEY, 'oneDay', NOW * 1_000)).toBe(0.12346);
  });

  it('is loaded for the markets of the newest snapshot only', async () => {
    const { backfill, other } = setup();
    for (const key of [KEY, OTHER]) backfill.recordHistory('day', key, { from: DAY_FROM, until: NOW, points });
    await backfill.save(NOW * 1_000, LATER);
    const read = other();
    await read.load(new Set([KEY]), NOW * 1_000, LATER);
    expect(read.startPrice(KEY, 'oneDay', NOW * 1_000)).toBe(0.12346);
    expect(read.startPrice(OTHER, 'oneDay', NOW * 1_000)).toBeUndefined();
  });

  it('reaches containers that are running', async () => {
    const { backfill, other } = setup();
    const running = other();
    await running.load(new Set([KEY]), NOW * 1_000, LATER);
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points });
    await backfill.save(NOW * 1_000 + 60_000, LATER);
    await running.load(new Set([KEY]), NOW * 1_000 + 120_000, LATER);
    expect(running.startPrice(KEY, 'oneDay', NOW * 1_000)).toBe(0.12346);
  });

  it('is replaced by a later history of the same kind, whichever is read first', async () => {
    const { backfill, other } = setup();
    const later = NOW + 30 * HOUR;
    for (const until of [NOW, later]) {
      backfill.recordHistory('day', KEY, {
        from: until - 36 * HOUR,
        until,
        points: [at(until - 30 * HOUR, until === NOW ? 0.1 : 0.2)],
      });
      await backfill.save(until * 1_000, LATER);
    }
    const read = other();
    await read.load(undefined, later * 1_000, LATER);
    expect(read.startPrice(KEY, 'oneDay', later * 1_000)).toBe(0.2);
  });

  it('is written once, by the next call when the table does not respond', async () => {
    const { store, backfill } = setup();
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points });
    store.broken = true;
    await backfill.save(NOW * 1_000, LATER);
    store.broken = false;
    await backfill.save(NOW * 1_000 + 1, LATER);
    await backfill.save(NOW * 1_000 + 2, LATER);
    expect(store.items.get('BACKFILL_DAY')).toHaveLength(1);
  });

  it('fits into items whatever its size, and uses few bytes a market', async () => {
    const { store, backfill, other } = setup();
    const dice = new Dice(7);
    const keys = Array.from({ length: 2_000 }, (_, n) => priceKey(String(n)));
    for (const key of keys) {
      const history = risingHistory(DAY_FROM, NOW, 900).map(({ t }) => at(t, dice.between(0, 1)));
      backfill.recordHistory('day', key, { from: DAY_FROM, until: NOW, points: history });
    }
    await backfill.save(NOW * 1_000, LATER);
    const items = store.items.get('BACKFILL_DAY') ?? [];
    expect(items.length).toBeGreaterThan(1);
    expect(Math.max(...items.map(({ data }) => data.length))).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
    expect(new Set(items.map(({ n }) => n)).size).toBe(items.length);
    const read = other();
    await read.load(undefined, NOW * 1_000, LATER);
    for (const key of keys) {
      expect(read.startPrice(key, 'oneDay', NOW * 1_000)).toBe(backfill.startPrice(key, 'oneDay', NOW * 1_000));
    }
  });

  it('leaves out points that repeat the price before them, except those of the last 90 minutes', async () => {
    const { store, backfill } = setup();
    const quiet = risingHistory(DAY_FROM, NOW, 900).map(({ t }) => at(t, 0.5));
    backfill.recordHistory('day', KEY, { from: DAY_FROM, until: NOW, points: quiet });
    await backfill.save(NOW * 1_000, LATER);
    const [item] = store.items.get('BACKFILL_DAY') ?? [];
    expect(decodeText(item?.data ?? new Uint8Array())).toBe(
      `${KEY}${JSON.stringify([DAY_FROM, NOW, [DAY_FROM, NOW - 5_400 - DAY_FROM, ...repeated(900)], repeated(50_000, 8)])}`,
    );
  });
});

function repeated(value: number, count = 6): number[] {
  return new Array(count).fill(value);
}

/** An item with one line for each stretch. */
const item = (...stretches: (readonly [string, ...unknown[]])[]) =>
  encodeText(stretches.map(([key, ...stretch]) => key + JSON.stringify(stretch)).join('\n'));
const good = (key: string) => [key, DAY_FROM, NOW, [NOW - 30 * HOUR, 60], [10_000, 20_000]] as const;

describe('stored items that are broken', () => {
  it.each([
    ['bytes that are not compressed', Buffer.from('{}')],
    ['no JSON', encodeText(`${OTHER}null`)],
    ['a line that is cut', encodeText(`${OTHER}[1,`)],
    ['nothing', encodeText('')],
  ])('are skipped: %s', async (_what, data) => {
    const { store, backfill } = setup();
    await store.put('BACKFILL_DAY', { n: 2, data });
    await store.put('BACKFILL_DAY', { n: 1, data: item(good(KEY)) });
    await backfill.load(undefined, NOW * 1_000, LATER);
    expect(backfill.startPrice(KEY, 'oneDay', NOW * 1_000)).toBe(0.2);
  });

  it.each([
    ['nothing', []],
    ['no lists', [1, 2]],
    ['more prices than times', [NOW - DAY, NOW, [1], [1, 2]]],
    ['a negative time', [DAY_FROM, NOW, [-120], [1]]],
    ['a time that goes back', [DAY_FROM, NOW, [NOW - 30 * HOUR, -60], [1, 2]]],
    ['a time with a fraction', [DAY_FROM, NOW, [NOW - 30 * HOUR + 0.5], [1]]],
    ['a price above 1', [DAY_FROM, NOW, [NOW - 30 * HOUR], [100_001]]],
    ['a price that is no number', [DAY_FROM, NOW, [NOW - 30 * HOUR], ['0.5']]],
    ['a span without an end', [DAY_FROM, null, [NOW - 30 * HOUR], [1]]],
  ])('lose the markets that cannot be read, and no others: %s', async (_what, stretch) => {
    const { store, backfill } = setup();
    await store.put('BACKFILL_DAY', { n: 1, data: item([OTHER, ...stretch], good(KEY)) });
    await backfill.load(undefined, NOW * 1_000, LATER);
    expect(backfill.startPrice(KEY, 'oneDay', NOW * 1_000)).toBe(0.2);
    expect(backfill.covers(OTHER, 'oneDay', NOW * 1_000)).toBe(false);
  });
});

describe('a table that is slow', () => {
  const old = (NOW - 20 * HOUR) * 1_000;
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(priceKey) as [string, string, string, string];
  const known = (backfill: Backfill) =>
    [a, b, c, d].map((key) => (backfill.startPrice(key, 'oneDay', NOW * 1_000) === undefined ? '-' : '+')).join('');

  it('gives what it has returned until the deadline, newest first; the next run goes on from there', async () => {
    const { store, backfill } = setup();
    for (const [n, key] of [a, b, c, d].entries()) {
      await store.put('BACKFILL_DAY', { n: old + n, data: item(good(key)) });
    }
    store.failsAfter = 2;
    await backfill.load(undefined, NOW * 1_000, LATER);
    expect([known(backfill), backfill.isLoaded('day')]).toEqual(['--++', false]);
    store.failsAfter = Number.POSITIVE_INFINITY;
    await backfill.load(undefined, NOW * 1_000 + 60_000, LATER);
    expect([known(backfill), backfill.isLoaded('day')]).toEqual(['++++', true]);
    await backfill.load(undefined, NOW * 1_000 + 120_000, LATER);
    const days = store.queries.filter(({ partition }) => partition === 'BACKFILL_DAY');
    expect(days.map(({ from, to }) => [from, to])).toEqual([
      [0, Number.MAX_SAFE_INTEGER],
      [0, old + 1],
      // What others stored since the first of the two, with ten minutes for items that come late.
      [NOW * 1_000 - 600_000, Number.MAX_SAFE_INTEGER],
    ]);
  });

  it('counts as loaded once it has been read, also when a later read fails', async () => {
    const { store, backfill } = setup();
    expect(backfill.isLoaded('month')).toBe(false);
    await backfill.load(undefined, NOW * 1_000, LATER);
    store.broken = true;
    await backfill.load(undefined, NOW * 1_000 + 60_000, LATER);
    expect(backfill.isLoaded('month')).toBe(true);
  });
});

describe('a container that runs for long', () => {
  const record = (backfill: Backfill, key: string) => {
    backfill.recordHistory('day', key, { from: DAY_FROM, until: NOW, points: risingHistory(DAY_FROM, NOW, HOUR) });
    backfill.recordHistory('month', key, {
      from: MONTH_FROM,
      until: NOW,
      points: risingHistory(MONTH_FROM, NOW, 6 * HOUR),
    });
  };
  const loadAt = (backfill: Backfill, seconds: number, ...listed: string[]) =>
    backfill.load(new Set(listed), seconds * 1_000, LATER);

  it('forgets the prices of a day after two days, and those of a month after 31', async () => {
    const { backfill } = setup();
    record(backfill, KEY);
    const covers = (window: 'oneDay' | 'thirtyDay', asOf: number) => backfill.covers(KEY, window, asOf * 1_000);
    await loadAt(backfill, NOW + 2 * DAY, KEY);
    expect(covers('oneDay', NOW)).toBe(true);
    await loadAt(backfill, NOW + 2 * DAY + 1, KEY);
    expect([covers('oneDay', NOW), covers('thirtyDay', NOW)]).toEqual([false, true]);
    await loadAt(backfill, NOW + 31 * DAY, KEY);
    expect(covers('thirtyDay', NOW)).toBe(true);
    await loadAt(backfill, NOW + 31 * DAY + 1, KEY);
    expect(covers('thirtyDay', NOW)).toBe(false);
  });

  it('forgets markets that have not been listed for six hours', async () => {
    const { backfill } = setup();
    record(backfill, KEY);
    record(backfill, OTHER);
    await loadAt(backfill, NOW + 6 * HOUR, KEY);
    expect(backfill.startPrice(OTHER, 'oneDay', NOW * 1_000)).toBeDefined();
    await loadAt(backfill, NOW + 6 * HOUR + 1, KEY);
    expect(backfill.startPrice(OTHER, 'oneDay', NOW * 1_000)).toBeUndefined();
    expect(backfill.startPrice(KEY, 'oneDay', NOW * 1_000)).toBeDefined();
  });
});
