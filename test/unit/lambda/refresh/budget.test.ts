import { describe, expect, it } from '@jest/globals';
import { pricesDeadline, runDeadlines } from '../../../../lambda/refresh/budget.ts';

it('gives up the long changes first, then the day, the catalogue and the prices, and leaves time to publish', () => {
  const end = 100_000;
  expect(runDeadlines(end)).toEqual({
    month: end - 9_000,
    day: end - 6_000,
    catalogue: end - 5_000,
    prices: end - 2_500,
  });
});

describe('the prices are waited for', () => {
  const END = 200_000;
  const NOW = 100_000;

  it.each([
    ['while readers have a snapshot that is fresh', NOW - 60_000, NOW + 60_000],
    ['for a quarter of a minute where it no longer is', NOW - 119_000, NOW + 15_000],
    ['for half a minute where there is none', undefined, NOW + 30_000],
    ['until it is time to publish', NOW - 1_000, END - 2_500],
  ])('%s', (_, newestAsOf, expected) => {
    expect(pricesDeadline(END, NOW, newestAsOf)).toBe(expected);
  });
});
