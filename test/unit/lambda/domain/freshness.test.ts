import { describe, expect, it } from '@jest/globals';
import {
  ageSeconds,
  cacheableSeconds,
  isServable,
  isStale,
  longestAge,
} from '../../../../lambda/domain/freshness.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const rule = { freshSeconds: 120, staleIfErrorSeconds: 0 };

describe('the age of data', () => {
  it.each([
    [NOW - 1_500, 1.5],
    [NOW, 0],
    [NOW + 60_000, 0],
    [NOW + 300_000, 0],
    [NOW + 300_001, Number.POSITIVE_INFINITY],
  ])('of %i is %d s: a clock may be ahead, but not by more than five minutes', (asOf, age) => {
    expect(ageSeconds(asOf, NOW)).toBe(age);
  });

  it('that nobody can tell is stale, cannot be served and not be cached', () => {
    const age = ageSeconds(NOW + 3_600_000, NOW);
    const patient = { ...rule, staleIfErrorSeconds: 3_600 };
    expect([isStale(age, rule), isServable(age, patient), cacheableSeconds(age, rule)]).toEqual([
      true,
      false,
      0,
    ]);
  });
});

describe('the bounds of freshness, to the millisecond', () => {
  it.each([
    [120, false],
    [150, false],
    [150.001, true],
  ])('of %d s: stale %s, and served as long as it is not', (age, stale) => {
    expect(isStale(age, rule)).toBe(stale);
    expect(isServable(age, rule)).toBe(!stale);
  });

  it.each([
    [600, true],
    [600.001, false],
  ])('of %d s where a stage serves stale data for ten minutes: served %s', (age, served) => {
    expect(isServable(age, { ...rule, staleIfErrorSeconds: 600 })).toBe(served);
  });

  it('a stage that allows less than the grace still has the grace', () => {
    expect(longestAge({ ...rule, staleIfErrorSeconds: 60 })).toBe(150);
  });

  it.each([
    [0, 120],
    [0.5, 119],
    [119.5, 0],
    [120, 0],
    [130, 0],
  ])('of %d s: caches may keep it for %i s more', (age, seconds) => {
    expect(cacheableSeconds(age, rule)).toBe(seconds);
  });
});
