import { describe, expect, it, jest } from '@jest/globals';
import { itemAt } from '../../lambda/core/domain/values.ts';
import { BOOK_FAULTS, type BookFault } from './books.ts';
import { Invariants } from './invariants.ts';
import { checkSizes } from './size-checks.ts';
import { World } from './world.ts';

// A full run, every second minute, adds to each best price the shares that are offered at it. It
// reads them from `/books`, whose faults must cost the sizes and nothing else.

jest.setTimeout(120_000);

/** Six minutes of the service in virtual time, whose only fault is that of `/books`. */
async function sixMinutes(fault?: BookFault) {
  const size = { minutes: 6, markets: 80, maxMarkets: 60, looseShare: 0.3 };
  const world = new World({ seed: 3, ...size });
  world.polymarket.books.fault = fault;
  const invariants = new Invariants(world);
  await world.run(() => invariants.check());
  // One count for each snapshot: { sizes: 71, prices: 98 }.
  const counts = world.published.map((one) => checkSizes(world, one, invariants.violation));
  const times = world.published.map(({ at }) => at);
  return { counts, times, violations: invariants.violations };
}

describe('sizes at the best prices', () => {
  const healthy = sixMinutes();

  it('are those of the books, and most prices of a full run have one', async () => {
    const { counts, violations } = await healthy;
    expect(violations).toEqual([]);
    // Full runs are the first, third and fifth. The first has no earlier list whose books it could
    // read.
    const [, , third, , fifth] = counts;
    for (const full of [third, fifth])
      expect(full?.sizes).toBeGreaterThan(Number(full?.prices) / 2);
  });

  it.each(BOOK_FAULTS)('are all that /books costs: %s', async (fault) => {
    const usual = await healthy;
    const { counts, times, violations } = await sixMinutes(fault);
    // The invariants excuse no price, market or age in a world without other faults.
    expect(violations).toEqual([]);
    const delays = times.map((at, n) => at - itemAt(usual.times, n));
    expect(delays).toHaveLength(6);
    expect(Math.max(...delays)).toBeLessThan(1_000);
    expect(counts.map(({ sizes }) => sizes)).toEqual(counts.map(() => 0));
  });
});
