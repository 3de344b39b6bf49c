import { describe, expect, it } from '@jest/globals';
import { roundTo2 } from '../../../../lambda/domain/numbers.ts';

describe('roundTo2', () => {
  it.each([
    [1.005, 1.01],
    [-1.005, -1.01],
    [12.344_999, 12.34],
    [99.999, 100],
    [0.05, 0.05],
    [-0.001, 0],
    [0, 0],
  ])('of %d is %d', (value, expected) => {
    expect(roundTo2(value)).toBe(expected);
  });
});
