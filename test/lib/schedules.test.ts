import { expect, it } from '@jest/globals';
import { runMinutes } from '../../lib/schedules.ts';

it.each([
  [120, 60, '0/2 *', '1/2 *'],
  [240, 120, '0/4 *', '2/4 *'],
  [600, 300, '0/10 *', '5/10 *'],
  [1_800, 600, '0/30 *', '10,20,40,50 *'],
])('full runs every %i s and runs every %i s never fall together', (full, run, ...minutes) => {
  const { full: ofFull, prices } = runMinutes(full, run);
  expect([ofFull, prices]).toEqual(minutes);
});

it.each([
  [210, 60],
  [120, 50],
  [420, 60],
  [150, 30],
  [180, 120],
  [120, 120],
  [3_600, 60],
])('a full run every %i s and a run every %i s are refused', (full, run) => {
  expect(() => runMinutes(full, run)).toThrow(
    `A full run every ${full} s and a run every ${run} s`,
  );
});
