import { describe, expect, it } from '@jest/globals';
import {
  at,
  backfillRig,
  DAY,
  DAY_FROM,
  HOUR,
  KEY,
  MONTH_FROM,
  NOW,
  OTHER,
  risingHistory,
} from './backfill-rig.ts';

// A price change compares the price of now with that at the start of a window: an hour, a day, 7 or
// 30 days ago. For times of which the service has no price of its own, the backfill keeps histories
// of Polymarket ("upstream"): one of 36 hours, "day", for the two short windows, and one of 30.5 days,
// "month", for the others. `covers` says whether it need not be read. Times are Unix seconds, and
// `at(t, p)` is the price p at t.

describe('the price at the start of a window', () => {
  /** 36 hours of the same price, an hour apart. */
  const steady = risingHistory(DAY_FROM, NOW, HOUR).map(({ t }) => at(t, 0.3));

  it.each([
    { when: 'a second before the history begins', now: NOW - 12 * HOUR - 1, price: undefined },
    { when: 'when the history begins', now: NOW - 12 * HOUR, price: 0.3 },
    { when: 'when the history ends', now: NOW + DAY, price: 0.3 },
    { when: 'a second after the history ended', now: NOW + DAY + 1, price: undefined },
  ])('of a day that began $when is $price', ({ now, price }) => {
    const { backfill } = backfillRig();
    backfill.recordDay(steady);
    expect(backfill.priceAt(now)).toBe(price);
    expect(backfill.coversAt(now)).toBe(price !== undefined);
  });

  it('of a week is unknown from the history of a day', () => {
    const { backfill } = backfillRig();
    backfill.recordDay(steady);
    expect(backfill.priceAt(NOW, 'sevenDay')).toBeUndefined();
  });

  it.each([
    { window: 'oneDay', days: 1, hours: 0.25 },
    { window: 'sevenDay', days: 7, hours: 2 },
    { window: 'thirtyDay', days: 30, hours: 6 },
  ] as const)('is at most $hours hours older than a start $days days ago', (row) => {
    const { window, days, hours } = row;
    const { backfill } = backfillRig();
    const history = risingHistory(MONTH_FROM, NOW, 5 * 60);
    backfill.recordDay(history);
    backfill.recordMonth(history);
    const truth = (t: number) => history.findLast((point) => point.t <= t)?.p ?? Number.NaN;
    // The price rises from 0 to 1 in 30.5 days, so an older price is lower.
    const pricePerHour = 1 / (30.5 * 24);
    for (let minutes = 0; minutes < 12 * 60; minutes += 7) {
      const asOf = NOW + minutes * 60;
      const error = truth(asOf - days * DAY) - (backfill.priceAt(asOf, window) ?? Number.NaN);
      // Stored prices have five decimals.
      expect(error).toBeGreaterThanOrEqual(-0.00001);
      expect(error).toBeLessThanOrEqual(hours * pricePerHour + 0.00001);
    }
  });
});

describe('a history without points for more than six hours', () => {
  /** Points 0, 6 and 48 hours after the start of a month. A price is known for six hours. */
  const START = NOW - 10 * DAY;
  const points = [at(START, 0.2), at(START + 6 * HOUR, 0.3), at(START + 48 * HOUR, 0.6)];
  /** The price at the start of a week that began this long after the first point. */
  const priceAfter = (container: ReturnType<typeof backfillRig>['backfill'], hours: number) =>
    container.priceAt(START + hours * HOUR + 7 * DAY, 'sevenDay');

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
    const { backfill, other } = backfillRig();
    backfill.recordMonth(points);
    expect(priceAfter(backfill, hours)).toBe(price);
    await backfill.saveAt();
    const read = other();
    await read.loadAt();
    expect(priceAfter(read, hours)).toBe(price);
  });

  it('is not read again', () => {
    const { backfill } = backfillRig();
    backfill.recordMonth(points);
    expect(backfill.coversAt(START + 30 * HOUR + 7 * DAY, 'sevenDay')).toBe(true);
  });
});

describe('an empty history', () => {
  it('counts as known for an hour', () => {
    const { backfill } = backfillRig();
    backfill.recordDay([]);
    expect(backfill.coversAt(NOW + HOUR - 1)).toBe(true);
    expect(backfill.coversAt(NOW + HOUR)).toBe(false);
  });

  it('counts as known for its kind and its token only', () => {
    const { backfill } = backfillRig();
    backfill.recordDay([]);
    expect(backfill.coversAt(NOW, 'sevenDay')).toBe(false);
    expect(backfill.coversAt(NOW, 'oneDay', OTHER)).toBe(false);
  });

  it('is not stored', async () => {
    const { store, backfill } = backfillRig();
    backfill.recordDay([]);
    await backfill.saveAt();
    expect(store.items.size).toBe(0);
  });

  it('is also one whose points all lie outside of its span', () => {
    const { backfill } = backfillRig();
    const outside = [-120, MONTH_FROM - 1, NOW + 1].map((t) => at(t, 0.5));
    backfill.recordMonth(outside);
    expect(backfill.coversAt(NOW, 'sevenDay')).toBe(true);
    expect(backfill.priceAt(NOW, 'sevenDay')).toBeUndefined();
  });
});

describe('a container that runs for long', () => {
  it('forgets the prices of a day after two days, and those of a month after 31', async () => {
    const { backfill } = backfillRig();
    backfill.recordDay(risingHistory(DAY_FROM, NOW, HOUR));
    backfill.recordMonth(risingHistory(MONTH_FROM, NOW, 6 * HOUR));
    const knownAfter = async (age: number) => {
      await backfill.loadAt(NOW + age, KEY);
      return [backfill.coversAt(NOW), backfill.coversAt(NOW, 'thirtyDay')];
    };
    expect(await knownAfter(2 * DAY)).toEqual([true, true]);
    expect(await knownAfter(2 * DAY + 1)).toEqual([false, true]);
    expect(await knownAfter(31 * DAY)).toEqual([false, true]);
    expect(await knownAfter(31 * DAY + 1)).toEqual([false, false]);
  });

  it('forgets markets that have not been listed for six hours', async () => {
    const { backfill } = backfillRig();
    for (const key of [KEY, OTHER]) backfill.recordDay(risingHistory(DAY_FROM, NOW, HOUR), key);
    const known = () => [KEY, OTHER].filter((key) => backfill.coversAt(NOW, 'oneDay', key));
    await backfill.loadAt(NOW + 6 * HOUR, KEY);
    expect(known()).toEqual([KEY, OTHER]);
    await backfill.loadAt(NOW + 6 * HOUR + 1, KEY);
    expect(known()).toEqual([KEY]);
  });
});
