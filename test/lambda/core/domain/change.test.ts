// A price change is the price now less the price at the start of a window, in percentage points.
// This file has the rules for the start and for the difference.

import { describe, expect, it } from '@jest/globals';
import {
  baseline,
  CHANGE_WINDOWS_MS,
  pointsBetween,
} from '../../../../lambda/core/domain/change.ts';

describe('the price at the start of a window of a day', () => {
  /** The start and the end of the window, in Unix seconds. */
  const START = 1_800_000_000;
  const END = START + 86_400;
  /** A point of the history, this many seconds after the start of the window. */
  const at = (seconds: number, p: number) => ({ t: START + seconds, p });
  const THIRTY_DAYS = 30 * 86_400;

  it.each([
    ['the last point before the start', [at(-7_200, 0.1), at(-60, 0.2), at(60, 0.3)], 0.2],
    ['a point exactly at the start', [at(-60, 0.1), at(0, 0.2), at(1, 0.3)], 0.2],
    ['a point 30 days before the start', [at(-THIRTY_DAYS, 0.1), at(86_400, 0.5)], 0.1],
    ['unknown if the first point comes later', [at(1, 0.2)], undefined],
    ['unknown without points', [], undefined],
    ['never the point at the end', [at(86_400, 0.9)], undefined],
    ['the later of two points of one time', [at(-60, 0.1), at(-60, 0.2)], 0.2],
  ])('is %s', (_which, history, price) => {
    expect(baseline(history, END * 1_000, 'oneDay')).toBe(price);
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
