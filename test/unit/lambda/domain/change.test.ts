import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { baseline, CHANGE_WINDOWS, change } from '../../../../lambda/domain/change.ts';

const ASOF = 1_800_000_000;
const DAY = CHANGE_WINDOWS.oneDay;
const START = ASOF - DAY;

describe('baseline of a window', () => {
  it.each([
    [
      'the last point before the start',
      [
        [START - 7_200, 0.1],
        [START - 60, 0.2],
        [START + 60, 0.3],
      ],
      0.2,
    ],
    [
      'a point exactly at the start',
      [
        [START - 60, 0.1],
        [START, 0.2],
        [START + 1, 0.3],
      ],
      0.2,
    ],
    [
      'a point long before the start, carried forward',
      [
        [START - 30 * DAY, 0.1],
        [ASOF, 0.5],
      ],
      0.1,
    ],
    [
      'the first point within 5 % after the start',
      [
        [START + 0.05 * DAY, 0.2],
        [START + 0.06 * DAY, 0.3],
      ],
      0.2,
    ],
    [
      'the first point after the start, whatever the order',
      [
        [START + 0.04 * DAY, 0.3],
        [START + 0.02 * DAY, 0.2],
        [START + 0.03 * DAY, 0.4],
      ],
      0.2,
    ],
    ['nothing where the first point comes later', [[START + 0.05 * DAY + 1, 0.2]], undefined],
    ['nothing without points', [], undefined],
    ['never the point that is stamped now', [[ASOF, 0.9]], undefined],
    [
      'the later one of two points with one time',
      [
        [START - 60, 0.1],
        [START - 60, 0.2],
      ],
      0.2,
    ],
    [
      'the later one of two with one time after the start, too',
      [
        [START + 60, 0.1],
        [START + 60, 0.2],
        [START + 61, 0.3],
      ],
      0.2,
    ],
    [
      'the same whatever the order',
      [
        [ASOF, 0.9],
        [START - 60, 0.2],
        [START - 120, 0.1],
      ],
      0.2,
    ],
  ] as [string, [number, number][], number | undefined][])('is %s', (_, points, expected) => {
    const history = points.map(([t, p]) => ({ t, p }));
    expect(baseline(history, ASOF, 'oneDay')).toBe(expected);
  });

  it('is never a point beyond the reach of the window', () => {
    const point = fc.record({ t: fc.integer({ min: START - 10 * DAY, max: ASOF }), p: fc.constant(0.5) });
    fc.assert(
      fc.property(fc.array(point), (history) => {
        const reachable = history.some(({ t }) => t - START <= 0.05 * DAY);
        expect(baseline(history, ASOF, 'oneDay') !== undefined).toBe(reachable);
      }),
    );
  });
});

describe('change', () => {
  it('is in percentage points: the documented unit', () => {
    expect(change(0.385, [{ t: START, p: 0.4 }], ASOF, 'oneDay')).toBe(-1.5);
  });

  it('is 0 only for a price that has not moved', () => {
    expect(change(0.4, [{ t: START, p: 0.4 }], ASOF, 'oneDay')).toBe(0);
    expect(Object.is(change(0.4, [{ t: START, p: 0.4 }], ASOF, 'oneDay'), -0)).toBe(false);
    expect(change(0.4, [], ASOF, 'oneDay')).toBeUndefined();
  });

  it('is unknown where there is no midpoint of now', () => {
    expect(change(undefined, [{ t: START, p: 0.4 }], ASOF, 'oneDay')).toBeUndefined();
  });

  it('is left out for a market younger than the window', () => {
    const young = [
      { t: ASOF - 3 * DAY, p: 0.4 },
      { t: ASOF, p: 0.5 },
    ];
    expect(change(0.5, young, ASOF, 'oneDay')).toBe(10);
    expect(change(0.5, young, ASOF, 'sevenDay')).toBeUndefined();
    expect(change(0.5, young, ASOF, 'thirtyDay')).toBeUndefined();
  });

  it('has three decimals, as fine as the finest ticks', () => {
    expect(change(0.333_333, [{ t: START, p: 0.111_111 }], ASOF, 'oneDay')).toBe(22.222);
  });
});
