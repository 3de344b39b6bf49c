import { describe, expect, it } from '@jest/globals';
import { itemAt } from '../../lambda/core/domain/values.ts';
import { BOOK_FAULTS, type BookFault } from './books.ts';
import { Invariants } from './invariants.ts';
import { checkSizes } from './size-checks.ts';
import { World } from './world.ts';

/** Six minutes of a world without other faults. */
async function published(fault?: BookFault) {
  const size = { minutes: 6, markets: 80, maxMarkets: 60, loose: 0.3 };
  const world = new World({ seed: 3, ...size, plan: () => undefined });
  world.polymarket.books.fault = fault;
  const invariants = new Invariants(world);
  await world.run(() => invariants.check());
  const counts = world.published.map((one) => checkSizes(world, one, invariants.violation));
  const times = world.published.map(({ at }) => at);
  return { counts, times, violations: invariants.violations };
}

describe('sizes at the best prices', () => {
  const healthy = published();

  it('are those of the books, and most prices of a full run have one', async () => {
    const { counts, violations } = await healthy;
    expect(violations).toEqual([]);
    const full = counts.filter((_, n) => n > 0 && n % 2 === 0);
    for (const { sizes, prices } of full) expect(sizes).toBeGreaterThan(prices / 2);
  }, 120_000);

  it.each(BOOK_FAULTS)(
    'are all that /books costs: %s',
    async (fault) => {
      const [{ times: usual }, { counts, times, violations }] = [
        await healthy,
        await published(fault),
      ];
      // The invariants excuse no price, market or age in a world without other faults.
      expect(violations).toEqual([]);
      const delays = times.map((at, n) => at - itemAt(usual, n));
      expect(delays).toHaveLength(6);
      expect(Math.max(...delays)).toBeLessThan(1_000);
      expect(counts.map(({ sizes }) => sizes)).toEqual(counts.map(() => 0));
    },
    120_000,
  );
});
