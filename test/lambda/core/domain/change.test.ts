import { describe, expect, it } from '@jest/globals';
import {
  baseline,
  CHANGE_WINDOWS_MS,
  lastJump,
  pointsBetween,
  withoutEmptyBooks,
} from '../../../../lambda/core/domain/change.ts';

describe('the price at the start of a window of a day', () => {
  const DAY_SECONDS = 86_400;
  /** The end of the window, in Unix seconds. */
  const AS_OF = 1_800_000_000;
  /** Points by their seconds after the start of the window, and their price. */
  type Points = readonly (readonly [seconds: number, price: number])[];

  it.each<[string, Points, number | undefined]>([
    [
      'is the last point before the start',
      [
        [-7_200, 0.1],
        [-60, 0.2],
        [60, 0.3],
      ],
      0.2,
    ],
    [
      'is a point exactly at the start',
      [
        [-60, 0.1],
        [0, 0.2],
        [1, 0.3],
      ],
      0.2,
    ],
    [
      'is a point 30 days before the start',
      [
        [-30 * DAY_SECONDS, 0.1],
        [DAY_SECONDS, 0.5],
      ],
      0.1,
    ],
    ['is unknown if the first point comes later', [[1, 0.2]], undefined],
    ['is unknown without points', [], undefined],
    ['is never the point at the end', [[DAY_SECONDS, 0.9]], undefined],
    [
      'is the later of two points of one time',
      [
        [-60, 0.1],
        [-60, 0.2],
      ],
      0.2,
    ],
  ])('%s', (_, points, expected) => {
    const history = points.map(([seconds, p]) => ({ t: AS_OF - DAY_SECONDS + seconds, p }));
    expect(baseline(history, AS_OF * 1_000, 'oneDay')).toBe(expected);
  });
});

it.each([
  [0.4, 0.385, -1.5],
  [0.4, 0.4, 0],
  [0.111_111, 0.333_333, 22.222],
  [0, 1, 100],
  [undefined, 0.4, undefined],
  [0.4, undefined, undefined],
])('a change from %p to %p is %p percentage points [sentence 15]', (before, now, expected) => {
  expect(pointsBetween(before, now)).toBe(expected);
});

it('the windows are 1 hour, 1 day, 7 days and 30 days [sentence 2]', () => {
  const windows = {
    oneHour: 3_600_000,
    oneDay: 86_400_000,
    sevenDay: 604_800_000,
    thirtyDay: 2_592_000_000,
  };
  expect(CHANGE_WINDOWS_MS).toEqual(windows);
});

// Upstream writes 0.5 for a market whose book is empty. `null` takes its place.
it.each([
  ['after another price', [0.7, 0.5, 0.5], [0.7, null, null]],
  ['before another price', [0.5, 0.3], [null, 0.3]],
  ['beside a price within 0.05', [0.46, 0.5, 0.54], [0.46, 0.5, 0.54]],
  ['without any other price', [0.5, 0.5], [0.5, 0.5]],
])('0.5 %s may be an empty book: %j', (_, prices, expected) => {
  const found = withoutEmptyBooks(prices.map((p, n) => ({ t: n, p })));
  expect(found).toEqual(expected.map((p, n) => ({ t: n, p })));
});

// A jump is a change of more than 0.1 between two known prices. The points have the times 1, 2, 3
// and so on, and 0 means that there is no jump.
it.each([
  ['at the first point after the jump', [0.4, 0.6, 0.6], 2],
  ['at the later one of two jumps', [0.4, 0.6, 0.4, 0.4], 3],
  ['found across an unknown price', [0.4, null, 0.6], 3],
  ['not found if only an unknown price lies between', [0.4, null, 0.4], 0],
  ['not found in steps of 0.1', [0.4, 0.5, 0.6], 0],
])('the last jump of a history is %s: %j', (_, prices, expected) => {
  expect(lastJump(prices.map((p, n) => ({ t: n + 1, p })))).toBe(expected);
});
