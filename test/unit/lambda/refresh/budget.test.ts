import { expect, it } from '@jest/globals';
import { runDeadlines } from '../../../../lambda/refresh/budget.ts';

it('gives up the long changes first, then the day, the catalogue and the prices, and leaves time to publish', () => {
  const end = 100_000;
  expect(runDeadlines(end)).toEqual({
    month: end - 9_000,
    day: end - 6_000,
    catalogue: end - 5_000,
    prices: end - 2_500,
  });
});
