import { expect, it } from '@jest/globals';
import { median } from '../../../tools/bench/timing.ts';

it.each([
  [[3], 3],
  [[10, 1, 2], 2],
  [[4, 1, 10, 2], 3],
  [[], Number.NaN],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});
