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

// The page draws the price history of a market as a chart with ranges, such as a month, and as a
// small line of seven days in a row of the list. These functions choose the points, the places of
// the labels, and the request of a range. A point has a time `t` in Unix seconds and a price `p`
// from 0 to 1.

const HOUR = 3_600;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 23, 12) / 1_000;
/** A point each hour until now. Its price is 0.5, unless `peaks` has another one for its index. */
function hourlyPoints(count: number, peaks: Readonly<Record<number, number>>): Point[] {
  return Array.from({ length: count }, (_, n) => ({
    t: NOW - (count - n) * HOUR,
    p: peaks[n] ?? 0.5,
  }));
}

describe('points of a line', () => {
  describe('that has room for 200 of 2,000', () => {
    const points = hourlyPoints(2_000, { 777: 0.9, 1500: 0.1 });
    const some = thinned(points, 200);

    it('are at most 200', () => {
      expect(some.length).toBeLessThanOrEqual(200);
    });

    it('begin and end where the line does', () => {
      expect(some[0]).toBe(points[0]);
      expect(some.at(-1)).toBe(points.at(-1));
    });

    it('have every peak', () => {
      expect(some).toContain(points[777]);
      expect(some).toContain(points[1_500]);
    });

    it('ascend, each time once', () => {
      const times = some.map(({ t }) => t);
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    });
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
  /** The price of now. The picture is 70 wide, 10 for each day, and 22 high. */
  const end = { t: NOW, p: 0.5 };

  const linePlaces = (points: readonly Point[]) =>
    spark([...points, end], 70, 22).map((place) => place.split(',').map(Number));

  it.each([
    { what: 'begins where a young market does', daysAgo: [1], x: [60, 70] },
    { what: 'begins at the left edge after seven days', daysAgo: [7], x: [0, 70] },
    { what: 'leaves out what is older', daysAgo: [8, 3.5], x: [35, 70] },
  ])('$what', ({ daysAgo, x }) => {
    const points = daysAgo.map((days) => ({ t: NOW - days * DAY, p: 0.4 }));
    expect(linePlaces(points).map(([left]) => left)).toEqual(x);
  });

  /** How far the ends of a line from this price lie below the top. */
  const heightsFrom = (p: number) =>
    linePlaces([{ t: NOW - DAY, p }]).map(([, fromTop]) => fromTop);

  it('rises with the price over the whole height, less a margin of 2', () => {
    expect(heightsFrom(0.1)).toEqual([20, 2]);
  });

  // A difference of 0.04 fills the 18 pixels between the margins. So 0.02 has 9, around the middle.
  it('rises less for a small range', () => {
    expect(heightsFrom(0.48)).toEqual([22 / 2 + 4.5, 22 / 2 - 4.5]);
  });
});

describe('labels of lines', () => {
  /** Wanted at these pixels from the top. The chart is 310 high, a label 17. */
  const places = spread([100, 102, 300, 101, -4], 17, 310);
  const [at100 = 0, at102 = 0, at300 = 0, at101 = 0, aboveTop = 0] = places;
  const downwards = [aboveTop, at100, at101, at102, at300];

  it('keep their order', () => {
    expect(downwards).toEqual(downwards.toSorted((a, b) => a - b));
  });

  it('never overlap', () => {
    for (const [n, place] of downwards.slice(1).entries())
      expect(place - (downwards[n] ?? 0)).toBeGreaterThanOrEqual(17);
  });

  it('stay inside the chart', () => {
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThanOrEqual(310 - 17);
  });
});

describe('labels of a time axis', () => {
  const months = [new Date(2026, 10, 1), new Date(2026, 11, 1), new Date(2027, 0, 1)].map(
    (date) => date.getTime() / 1_000,
  );

  it('of months name the year where it begins', () => {
    const hasTwoYears = true;
    expect(tickLabels(months, 30 * DAY, hasTwoYears)).toEqual(['Nov\n2026', 'Dec', 'Jan\n2027']);
  });

  it('of weeks name the day', () => {
    expect(tickLabels(months, 7 * DAY, false)).toEqual(['Nov 1', 'Dec 1', 'Jan 1']);
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
  /** The minutes between two points, the `fidelity`: these days have at most 400 points. */
  const fidelityOf = (days: number) => Math.ceil((days * 24 * 60) / 400);

  it('has less than one point for each pixel', () => {
    expect(rangeQuery('1m', open, NOW)).toEqual({ interval: '1m', fidelity: 120 });
    expect(rangeQuery('max', open, NOW)).toEqual({
      startTs: open.start,
      fidelity: fidelityOf(100),
    });
    expect(rangeQuery('max', { ...open, start: undefined }, NOW)).toEqual({ interval: 'max' });
  });

  it('of a market that was open for a quarter of an hour is its life with the payout', () => {
    const life = { start: NOW - 2 * DAY, end: NOW - 2 * DAY + 900, resolved: NOW - DAY };
    expect(rangesOf(life, NOW)).toEqual(['max']);
    expect(rangeQuery('max', life, NOW)).toEqual({
      startTs: life.start,
      endTs: NOW - DAY + HOUR,
      fidelity: 1,
    });
  });

  it('of a closed market ends with its life', () => {
    const long = { start: NOW - 90 * DAY, end: NOW - 30 * DAY, resolved: undefined };
    expect(rangesOf(long, NOW)).toEqual(['1d', '1w', '1m', 'max']);
    expect(rangeQuery('1w', long, NOW)).toMatchObject({
      startTs: long.end - 7 * DAY,
      fidelity: fidelityOf(7),
    });
  });

  const since = (days: number) =>
    rangesOf({ start: NOW - days * DAY, end: undefined, resolved: undefined }, NOW);

  it('is never longer than the life of an open market', () => {
    expect(since(0.5)).toEqual(['max']);
    expect(since(3)).toEqual(['1d', 'max']);
    expect(since(31)).toEqual(['1d', '1w', '1m', 'max']);
    expect(since(100)).toEqual(['1d', '1w', '1m', '3m', 'max']);
  });

  it('is of any length if the start of the market is unknown', () => {
    const unknown = { start: undefined, end: undefined, resolved: undefined };
    expect(rangesOf(unknown, NOW)).toEqual(['1d', '1w', '1m', '3m', 'max']);
  });

  it('is a month at first, or the whole of a shorter life', () => {
    expect(firstRange(since(3))).toBe('max');
    expect(firstRange(since(31))).toBe('1m');
  });

  it('of several young outcomes is their life in detail', () => {
    expect(sharedQuery('max', DAY / 2)).toEqual({ interval: '1d', fidelity: fidelityOf(0.5) });
    expect(sharedQuery('max', 3 * DAY)).toEqual({ interval: '1w', fidelity: fidelityOf(3) });
    expect(sharedQuery('max', 400 * DAY)).toEqual({ interval: '1m', fidelity: 120 });
    expect(sharedQuery('1w', 400 * DAY)).toEqual({ interval: '1w', fidelity: 30 });
  });
});
