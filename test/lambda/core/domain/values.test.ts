// `roundTo3` rounds a number to three decimals, by its decimal digits, not by its binary value.

import { describe, expect, it } from '@jest/globals';
import { roundTo3 } from '../../../../lambda/core/domain/values.ts';

describe('roundTo3', () => {
  it.each([
    [0.5005, 0.501], // the nearest double lies below the half
    [-0.5005, -0.501],
    [1.00049, 1],
    [45, 45],
    [-0.0001, 0],
  ])('of %d is %d', (value, rounded) => {
    expect(roundTo3(value)).toBe(rounded);
  });
});
