import { describe, expect, it } from '@jest/globals';
import { ageSeconds, cacheableSeconds, isServable, isStale } from '../../../../lambda/domain/freshness.ts';

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
