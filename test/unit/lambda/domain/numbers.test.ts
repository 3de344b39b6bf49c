import { describe, expect, it } from '@jest/globals';
import { roundTo3 } from '../../../../lambda/domain/numbers.ts';

describe('roundTo3', () => {
  it.each([
    [1.0005, 1.001],
    [-1.0005, -1.001],
    [12.344_499, 12.344],
    [99.9999, 100],
    [0.05, 0.05],
    [-0.000_1, 0],
    [0, 0],
  ])('of %d is %d', (value, expected) => {
    expect(roundTo3(value)).toBe(expected);
  });
});
