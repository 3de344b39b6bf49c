import { describe, expect, it } from '@jest/globals';
import {
  ageSeconds,
  cacheableSeconds,
  expirySeconds,
  isServable,
} from '../../../../lambda/core/domain/time.ts';

it('the TTL of an item is no second too early', () => {
  // Both arguments are milliseconds, the result is Unix seconds.
  expect(expirySeconds(1_000, 60_000)).toBe(61);
  expect(expirySeconds(1_001, 60_000)).toBe(62);
});

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('freshness', () => {
  it.each([
    [NOW - 1_500, 1.5],
    [NOW, 0],
    [NOW + 30_000, 0],
    [NOW + 30_001, Number.POSITIVE_INFINITY],
  ])('the age of data from %i is %d s: a clock may be ahead by 30 s', (asOf, age) => {
    expect(ageSeconds(asOf, NOW)).toBe(age);
  });

  // The service serves data for 150 s. Caches keep it until it is 120 s old, in whole seconds.
  it.each([
    [0, true, 120],
    [0.5, true, 119],
    [119.5, true, 0],
    [120, true, 0],
    [150, true, 0],
    [150.001, false, 0],
    [Number.POSITIVE_INFINITY, false, 0],
  ])('data of %d s: served %s, kept by caches for %i s [sentence 6]', (age, served, seconds) => {
    expect(isServable(age)).toBe(served);
    expect(cacheableSeconds(age)).toBe(seconds);
  });
});
