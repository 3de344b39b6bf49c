import { describe, expect, it } from '@jest/globals';
import {
  type Point,
  spark,
  spread,
  thinned,
  tickLabels,
} from '../../packages/market-page/src/charts/layout.ts';
import {
  firstRange,
  rangeQuery,
  rangesOf,
  sharedQuery,
} from '../../packages/market-page/src/charts/ranges.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 23, 12) / 1_000;
/** A point an hour. */
const hourly = (count: number, p: (n: number) => number = () => 0.5): Point[] =>
  Array.from({ length: count }, (_, n) => ({ t: NOW - (count - n) * HOUR, p: p(n) }));

describe('points of a line', () => {
  it('are at most as many as there is room for, with the ends and every peak', () => {
    const points = hourly(2_000, (n) => (n === 777 ? 0.9 : n === 1_500 ? 0.1 : 0.5));
    const some = thinned(points, 200);
    expect(some.length).toBeLessThanOrEqual(200);
    expect(some[0]).toEqual(points[0]);
    expect(some.at(-1)).toEqual(points.at(-1));
    expect(some).toContain(points[777]);
    expect(some).toContain(points[1_500]);
    expect(some.map(({ t }) => t)).toEqual(
      [...new Set(some.map(({ t }) => t))].sort((a, b) => a - b),
    );
  });

  it('stay as they are if they fit, at whatever times', () => {
    const points = [
      { t: 1, p: 0.1 },
      { t: 700, p: 0.2 },
      { t: 701, p: 1, payout: true },
    ];
    expect(thinned(points, 3)).toEqual(points);
  });
});

describe('the small line of seven days', () => {
  const end = { t: NOW, p: 0.5 };

  it.each([
    ['begins where a young market does', [1], [60, 70]],
    ['begins at the left edge after seven days', [7], [0, 70]],
    ['leaves out what is older', [8, 3.5], [35, 70]],
  ])('%s', (_what, days, x) => {
    const points = [...days.map((n) => ({ t: NOW - n * DAY, p: 0.4 })), end];
    expect(spark(points, 70, 22).map((place) => Number(place.split(',')[0]))).toEqual(x);
  });

  it('rises with the price, and a small range stays flat', () => {
    const heights = (p: number) =>
      spark([{ t: NOW - DAY, p }, end], 70, 22).map((place) => Number(place.split(',')[1]));
    expect(heights(0.1)).toEqual([20, 2]);
    expect(heights(0.48)).toEqual([15.5, 6.5]);
  });
});

describe('labels of lines', () => {
  it('never overlap, keep their order, and stay inside', () => {
    const places = spread([100, 102, 300, 101, -4], 17, 310);
    const sorted = [...places].sort((a, b) => a - b);
    for (const [n, place] of sorted.slice(1).entries())
      expect(place - (sorted[n] ?? 0)).toBeGreaterThanOrEqual(17);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThanOrEqual(310 - 17);
    const [first, second, last, between, top] = places as [number, number, number, number, number];
    expect([top, first, between, second, last]).toEqual(sorted);
  });
});

describe('labels of a time axis', () => {
  it('name the year where there are two', () => {
    const ticks = [new Date(2026, 10, 1), new Date(2026, 11, 1), new Date(2027, 0, 1)].map(
      (date) => date.getTime() / 1_000,
    );
    expect(tickLabels(ticks, 30 * DAY, true)).toEqual(['Nov\n2026', 'Dec', 'Jan\n2027']);
    expect(tickLabels(ticks, 7 * DAY, false)).toEqual(['Nov 1', 'Dec 1', 'Jan 1']);
  });

  it('name the day where hours pass midnight', () => {
    const ticks = [new Date(2026, 10, 22, 20), new Date(2026, 10, 23), new Date(2026, 10, 23, 4)];
    expect(
      tickLabels(
        ticks.map((date) => date.getTime() / 1_000),
        4 * HOUR,
        false,
      ),
    ).toEqual(['20:00', 'Nov 23', '04:00']);
  });
});

describe('the request of a range', () => {
  const open = { start: NOW - 100 * DAY, end: undefined, resolved: undefined };

  it('has less than one point for each pixel', () => {
    expect(rangeQuery('1m', open, NOW)).toEqual({ interval: '1m', fidelity: 120 });
    expect(rangeQuery('max', open, NOW)).toEqual({ startTs: open.start, fidelity: 360 });
    expect(rangeQuery('max', { ...open, start: undefined }, NOW)).toEqual({ interval: 'max' });
  });

  it('of a closed market is its life with the payout, in detail', () => {
    const life = { start: NOW - 2 * DAY, end: NOW - 2 * DAY + 900, resolved: NOW - DAY };
    expect(rangesOf(life, NOW)).toEqual(['max']);
    expect(rangeQuery('max', life, NOW)).toEqual({
      startTs: life.start,
      endTs: NOW - DAY + HOUR,
      fidelity: 1,
    });
    const long = { start: NOW - 90 * DAY, end: NOW - 30 * DAY, resolved: undefined };
    expect(rangesOf(long, NOW)).toEqual(['1d', '1w', '1m', 'max']);
    expect(rangeQuery('1w', long, NOW)).toMatchObject({
      startTs: long.end - 7 * DAY,
      fidelity: 26,
    });
  });

  it('is never longer than the life of an open market', () => {
    const since = (days: number) =>
      rangesOf({ start: NOW - days * DAY, end: undefined, resolved: undefined }, NOW);
    expect(since(0.5)).toEqual(['max']);
    expect(since(3)).toEqual(['1d', 'max']);
    expect(since(31)).toEqual(['1d', '1w', '1m', 'max']);
    expect(since(100)).toEqual(['1d', '1w', '1m', '3m', 'max']);
    expect([since(3), since(31)].map(firstRange)).toEqual(['max', '1m']);
    // An unknown start hides nothing.
    expect(rangesOf({ start: undefined, end: undefined, resolved: undefined }, NOW)).toHaveLength(
      5,
    );
  });

  it('of several young outcomes is their life in detail', () => {
    expect(sharedQuery('max', DAY / 2)).toEqual({ interval: '1d', fidelity: 2 });
    expect(sharedQuery('max', 3 * DAY)).toEqual({ interval: '1w', fidelity: 11 });
    expect(sharedQuery('max', 400 * DAY)).toEqual({ interval: '1m', fidelity: 120 });
    expect(sharedQuery('1w', 400 * DAY)).toEqual({ interval: '1w', fidelity: 30 });
  });
});
