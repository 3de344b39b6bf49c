// Rules of time: when a table deletes an item, how old data is, and how long the service and caches
// keep it.

import { describe, expect, it } from '@jest/globals';
import {
  ageSeconds,
  cacheableSeconds,
  expirySeconds,
  isServable,
} from '../../../../lambda/core/domain/time.ts';

// A table deletes an item after its TTL, a time in whole Unix seconds.
describe('the TTL of an item', () => {
  it.each([
    [1_000, 61],
    [1_001, 62],
  ])('is the next whole second: 60 s after %i ms is %i s', (nowMs, seconds) => {
    expect(expirySeconds(nowMs, 60_000)).toBe(seconds);
  });
});

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('the age of data', () => {
  it.each([
    ['1.5 s ago', NOW - 1_500, 1.5],
    ['now', NOW, 0],
    ['in 30 s, by a clock that is ahead', NOW + 30_000, 0],
    ['later, by a wrong clock', NOW + 30_001, Number.POSITIVE_INFINITY],
  ])('is in seconds for data that was read %s', (_when, asOf, age) => {
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
  ])('of %d s decides: served %s, cached for %i s [sentence 6]', (age, served, seconds) => {
    expect(isServable(age)).toBe(served);
    expect(cacheableSeconds(age)).toBe(seconds);
  });
});
