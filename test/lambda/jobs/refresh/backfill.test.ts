import { describe, expect, it, jest } from '@jest/globals';
import type { ChangeWindow, PricePoint } from '../../../../lambda/core/domain/change.ts';
import { MAX_CHUNK_BYTES } from '../../../../lambda/io/platform/dynamodb.ts';
import { decodeText, encodeText, priceKey } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { BackfillStore } from '../../../../lambda/jobs/refresh/backfill.ts';
import { Dice } from '../../../support/dice.ts';
import { FakeStore, silent } from './fake-store.ts';

// The backfill keeps upstream's prices of two spans: 36 hours for the changes of an hour and a day,
// 30.5 days for those of 7 and 30 days. Both begin 12 hours before their longest window.

// Seconds on an idle machine.
jest.setTimeout(120_000);

/** Unix seconds. */
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A deadline that never comes. */
const LATER = Number.MAX_SAFE_INTEGER;
/** Two tokens. */
const [KEY, OTHER] = ['a', 'b'].map(priceKey) as [string, string];
const DAY_FROM = NOW - 36 * HOUR;
const MONTH_FROM = NOW - 30.5 * DAY;

/** An empty table, and two containers that share it. */
function setup() {
  const store = new FakeStore();
  return {
    store,
    backfill: new BackfillStore(store, silent),
    other: () => new BackfillStore(store, silent),
  };
}

const at = (t: number, p: number) => ({ t, p });

/** A point each `step` seconds; the price is the share of the span that has passed. */
function risingHistory(from: number, until: number, step: number): PricePoint[] {
  const count = Math.floor((until - from) / step) + 1;
  return Array.from({ length: count }, (_, n) => at(from + n * step, n / count));
}

const recordDay = (
  backfill: BackfillStore,
  points: readonly PricePoint[],
  key = KEY,
  until = NOW,
) => backfill.recordHistory('day', key, { from: until - 36 * HOUR, until, points });
const recordMonth = (backfill: BackfillStore, points: readonly PricePoint[], key = KEY) =>
  backfill.recordHistory('month', key, { from: MONTH_FROM, until: NOW, points });
const priceAt = (
  backfill: BackfillStore,
  seconds = NOW,
  window: ChangeWindow = 'oneDay',
  key = KEY,
) => backfill.startPrice(key, window, seconds * 1_000)?.price;
const coversAt = (
  backfill: BackfillStore,
  seconds: number,
  window: ChangeWindow = 'oneDay',
  key = KEY,
) => backfill.covers(key, window, seconds * 1_000);
const loadAt = (backfill: BackfillStore, seconds = NOW, ...listed: string[]) =>
  backfill.load(listed.length > 0 ? new Set(listed) : undefined, seconds * 1_000, LATER);
const saveAt = (backfill: BackfillStore, seconds = NOW) => backfill.save(seconds * 1_000, LATER);

describe('the price at the start of a window', () => {
  /** 36 hours of the same price, an hour apart. */
  const steady = risingHistory(DAY_FROM, NOW, HOUR).map(({ t }) => at(t, 0.3));

  it.each([
    { when: 'a second before the history begins', now: NOW - 12 * HOUR - 1, price: undefined },
    { when: 'when the history begins', now: NOW - 12 * HOUR, price: 0.3 },
    { when: 'when the history ends', now: NOW + DAY, price: 0.3 },
    { when: 'a second after the history ended', now: NOW + DAY + 1, price: undefined },
  ])('of a day that began $when is $price', ({ now, price }) => {
    const { backfill } = setup();
    recordDay(backfill, steady);
    expect(priceAt(backfill, now)).toBe(price);
    expect(coversAt(backfill, now)).toBe(price !== undefined);
  });

  it('of a week is unknown from the history of a day', () => {
    const { backfill } = setup();
    recordDay(backfill, steady);
    expect(priceAt(backfill, NOW, 'sevenDay')).toBeUndefined();
  });

  it('is exact to the quarter of an hour in the last day, two hours in the week, six hours in the month', () => {
    const { backfill } = setup();
    const history = risingHistory(MONTH_FROM, NOW, 5 * 60);
    recordDay(backfill, history);
    recordMonth(backfill, history);
    const truth = (t: number) => history.findLast((point) => point.t <= t)?.p ?? Number.NaN;
    const pricePerHour = 1 / (30.5 * 24);
    for (const [window, days, hours] of [
      ['oneDay', 1, 0.25],
      ['sevenDay', 7, 2],
      ['thirtyDay', 30, 6],
    ] as const) {
      for (let minutes = 0; minutes < 12 * 60; minutes += 7) {
        const asOf = NOW + minutes * 60;
        const error = truth(asOf - days * DAY) - (priceAt(backfill, asOf, window) ?? Number.NaN);
        // Stored prices have five decimals.
        expect(error).toBeGreaterThanOrEqual(-0.00001);
        expect(error).toBeLessThanOrEqual(hours * pricePerHour + 0.00001);
      }
    }
  });
});

describe('a history without points for more than six hours', () => {
  /** After 6 and before 48 hours there is a gap of 42 hours, and after 48 hours nothing. */
  const START = NOW - 10 * DAY;
  const points = [at(START, 0.2), at(START + 6 * HOUR, 0.3), at(START + 48 * HOUR, 0.6)];
  const priceAfter = (backfill: BackfillStore, hours: number) =>
    priceAt(backfill, START + hours * HOUR + 7 * DAY, 'sevenDay');

  it.each([
    { hours: 0, price: 0.2 },
    { hours: 5.9, price: 0.2 },
    { hours: 6, price: 0.3 },
    { hours: 11.9, price: 0.3 },
    { hours: 12, price: null },
    { hours: 47.9, price: null },
    { hours: 48, price: 0.6 },
    { hours: 53.9, price: 0.6 },
    { hours: 54, price: null },
    { hours: 200, price: null },
  ])('has the price $price $hours hours after its first point', async ({ hours, price }) => {
    const { backfill, other } = setup();
    recordMonth(backfill, points);
    expect(priceAfter(backfill, hours)).toBe(price);
    await saveAt(backfill);
    const read = other();
    await loadAt(read);
    expect(priceAfter(read, hours)).toBe(price);
  });

  it('is not read again', () => {
    const { backfill } = setup();
    recordMonth(backfill, points);
    expect(coversAt(backfill, START + 30 * HOUR + 7 * DAY, 'sevenDay')).toBe(true);
  });
});

describe('an empty history', () => {
  it('counts as known for an hour', () => {
    const { backfill } = setup();
    recordDay(backfill, []);
    expect(coversAt(backfill, NOW + HOUR - 1)).toBe(true);
    expect(coversAt(backfill, NOW + HOUR)).toBe(false);
  });

  it('counts as known for its kind and its token only', () => {
    const { backfill } = setup();
    recordDay(backfill, []);
    expect(coversAt(backfill, NOW, 'sevenDay')).toBe(false);
    expect(coversAt(backfill, NOW, 'oneDay', OTHER)).toBe(false);
  });

  it('is not stored', async () => {
    const { store, backfill } = setup();
    recordDay(backfill, []);
    await saveAt(backfill);
    expect(store.items.size).toBe(0);
  });

  it('is one whose points all lie outside of the span, such as the time of now', () => {
    const { backfill } = setup();
    const outside = [-120, MONTH_FROM - 1, NOW + 1].map((t) => at(t, 0.5));
    recordMonth(backfill, outside);
    expect(coversAt(backfill, NOW, 'sevenDay')).toBe(true);
    expect(priceAt(backfill, NOW, 'sevenDay')).toBeUndefined();
  });
});

describe('what is stored', () => {
  const points = [at(NOW - 26 * HOUR, 0.123456), at(NOW - 20 * HOUR, 1), at(NOW - 10 * HOUR, 0)];

  it('reaches containers that are running, for the markets of the newest snapshot only', async () => {
    const { backfill, other } = setup();
    const running = other();
    await loadAt(running, NOW, KEY);
    for (const key of [KEY, OTHER]) recordDay(backfill, points, key);
    await saveAt(backfill, NOW + 60);
    await loadAt(running, NOW + 120, KEY);
    expect([KEY, OTHER].map((key) => priceAt(running, NOW, 'oneDay', key))).toEqual([
      0.12346,
      undefined,
    ]);
  });

  it('is replaced by a later history of the same kind, whichever is read first', async () => {
    const { backfill, other } = setup();
    const later = NOW + 30 * HOUR;
    recordDay(backfill, [at(later - 26 * HOUR, 0.2)], KEY, later);
    await saveAt(backfill, NOW - 30 * HOUR);
    recordDay(backfill, [at(NOW - 26 * HOUR, 0.1)], KEY, NOW);
    await saveAt(backfill, NOW);
    const read = other();
    await loadAt(read, later);
    expect(priceAt(read, later)).toBe(0.2);
  });

  it('is written once, by the next call when the table does not respond', async () => {
    const { store, backfill } = setup();
    recordDay(backfill, points);
    store.broken = true;
    await saveAt(backfill);
    store.broken = false;
    await saveAt(backfill, NOW + 1);
    await saveAt(backfill, NOW + 2);
    expect(store.items.get('BACKFILL_DAY')).toHaveLength(1);
  });

  it('fits into items whatever its size', async () => {
    const { store, backfill, other } = setup();
    const dice = new Dice(7);
    const keys = Array.from({ length: 2_000 }, (_, n) => priceKey(String(n)));
    for (const key of keys) {
      const history = risingHistory(DAY_FROM, NOW, 900).map(({ t }) => at(t, dice.between(0, 1)));
      recordDay(backfill, history, key);
    }
    await saveAt(backfill);
    const items = store.items.get('BACKFILL_DAY') ?? [];
    expect(Math.max(...items.map(({ data }) => data.length))).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
    expect(new Set(items.map(({ n }) => n)).size).toBe(items.length);
    const read = other();
    await loadAt(read);
    const prices = (one: BackfillStore) => keys.map((key) => priceAt(one, NOW, 'oneDay', key));
    expect(prices(read)).toEqual(prices(backfill));
  });

  it('leaves out points that repeat the price before them, except those of the last 90 minutes', async () => {
    const { store, backfill } = setup();
    const flat = risingHistory(DAY_FROM, NOW, 900).map(({ t }) => at(t, 0.5));
    recordDay(backfill, flat);
    await saveAt(backfill);
    const [item] = store.items.get('BACKFILL_DAY') ?? [];
    // Of 145 points, the first and the last seven remain: a step of 34.5 hours, then 15 minutes
    // each.
    const steps = [DAY_FROM, NOW - 5_400 - DAY_FROM, ...Array(6).fill(900)];
    expect(decodeText(item?.data ?? new Uint8Array())).toBe(
      `${KEY}${JSON.stringify([DAY_FROM, NOW, steps, Array(8).fill(50_000), 0])}`,
    );
  });
});

/**
 * An item with one line for each series: the key, the span, the time of the first point and the
 * steps to the others, and the prices in units of 0.00001.
 */
const item = (...lines: (readonly [string, ...unknown[]])[]) =>
  encodeText(lines.map(([key, ...series]) => key + JSON.stringify(series)).join('\n'));
const good = (key: string) =>
  [key, DAY_FROM, NOW, [NOW - 30 * HOUR, 60], [10_000, 20_000]] as const;

describe('stored items that are broken', () => {
  const SERIES = [
    ['nothing', []],
    ['no lists', [1, 2]],
    ['more prices than times', [NOW - DAY, NOW, [1], [1, 2]]],
    ['a time that goes back', [DAY_FROM, NOW, [NOW - 30 * HOUR, -60], [1, 2]]],
    ['a time with a fraction', [DAY_FROM, NOW, [NOW - 30 * HOUR + 0.5], [1]]],
    ['a price above 1', [DAY_FROM, NOW, [NOW - 30 * HOUR], [100_001]]],
    ['a price that is no number', [DAY_FROM, NOW, [NOW - 30 * HOUR], ['0.5']]],
    ['a span without an end', [DAY_FROM, null, [NOW - 30 * HOUR], [1]]],
  ] as const;

  it.each([
    ['bytes that are not compressed', Buffer.from('{}')],
    ['a line that is cut', encodeText(`${OTHER}[1,`)],
    ['nothing', encodeText('')],
    ...SERIES.map(([what, series]) => [what, item([OTHER, ...series], good(KEY))] as const),
  ])('lose what cannot be read, and nothing else: %s', async (_what, data) => {
    const { store, backfill } = setup();
    await store.put('BACKFILL_DAY', { n: 2, data });
    await store.put('BACKFILL_DAY', { n: 1, data: item(good(KEY)) });
    await loadAt(backfill);
    expect(priceAt(backfill)).toBe(0.2);
    expect(coversAt(backfill, NOW, 'oneDay', OTHER)).toBe(false);
  });
});

it('a table that is slow gives what it has returned until the deadline; the next run goes on from there', async () => {
  const { store, backfill } = setup();
  const old = (NOW - 20 * HOUR) * 1_000;
  const keys = ['a', 'b', 'c', 'd'].map(priceKey);
  for (const [n, key] of keys.entries())
    await store.put('BACKFILL_DAY', { n: old + n, data: item(good(key)) });
  const known = () => keys.filter((key) => coversAt(backfill, NOW, 'oneDay', key)).length;
  store.failsAfter = 2;
  await loadAt(backfill);
  expect(known()).toBe(2);
  expect(backfill.isLoaded('day')).toBe(false);
  await loadAt(backfill, NOW + 60);
  expect(known()).toBe(4);
  expect(backfill.isLoaded('day')).toBe(true);
  // Other containers can store an item up to ten minutes after its sort key.
  await loadAt(backfill, NOW + 120);
  const days = store.queries.filter(({ partition }) => partition === 'BACKFILL_DAY');
  expect(days.map(({ from }) => from)).toEqual([0, old + 2, (NOW + 60 - 600) * 1_000]);
  store.broken = true;
  await loadAt(backfill, NOW + 180);
  expect(backfill.isLoaded('day')).toBe(true);
});

describe('a container that runs for long', () => {
  it('forgets the prices of a day after two days, and those of a month after 31', async () => {
    const { backfill } = setup();
    recordDay(backfill, risingHistory(DAY_FROM, NOW, HOUR));
    recordMonth(backfill, risingHistory(MONTH_FROM, NOW, 6 * HOUR));
    const knownAfter = async (age: number) => {
      await loadAt(backfill, NOW + age, KEY);
      return [coversAt(backfill, NOW), coversAt(backfill, NOW, 'thirtyDay')];
    };
    expect(await knownAfter(2 * DAY)).toEqual([true, true]);
    expect(await knownAfter(2 * DAY + 1)).toEqual([false, true]);
    expect(await knownAfter(31 * DAY)).toEqual([false, true]);
    expect(await knownAfter(31 * DAY + 1)).toEqual([false, false]);
  });

  it('forgets markets that have not been listed for six hours', async () => {
    const { backfill } = setup();
    for (const key of [KEY, OTHER]) recordDay(backfill, risingHistory(DAY_FROM, NOW, HOUR), key);
    const known = () => [KEY, OTHER].filter((key) => coversAt(backfill, NOW, 'oneDay', key));
    await loadAt(backfill, NOW + 6 * HOUR, KEY);
    expect(known()).toEqual([KEY, OTHER]);
    await loadAt(backfill, NOW + 6 * HOUR + 1, KEY);
    expect(known()).toEqual([KEY]);
  });
});
