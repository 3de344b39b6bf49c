import { describe, expect, it, jest } from '@jest/globals';
import { runFaultyWorld } from './faulty-world.ts';
import { Invariants } from './invariants.ts';
import { MINUTE, World } from './world.ts';

// The service in virtual time against a simulated Polymarket whose true prices are known. The
// invariants compare each published snapshot with this truth.

// Seconds on an idle machine.
jest.setTimeout(120_000);

describe('the service in a world with faults', () => {
  // Together these seeds have every kind of fault: of all four routes, hidden markets, an ignored
  // order, a cursor that leads back, kills, a faulty table. Each seed has prices of one rare source.
  it.each([
    { seed: 1, source: 'catalogue' },
    { seed: 4, source: 'carried' },
    { seed: 6, source: 'untraded' },
  ])(
    'publishes only prices that were true at their times: seed $seed, which has "$source"',
    async ({ seed, source }) => {
      const size = { minutes: 30, markets: 250, maxMarkets: 150 };
      const { world, invariants, callers } = await runFaultyWorld(seed, size);
      expect(world.published.length).toBeGreaterThan(20);
      expect(Math.min(...Object.values(callers.compared))).toBeGreaterThan(20);
      expect([...invariants.checked.keys()]).toEqual(
        expect.arrayContaining(['book', 'trade', source]),
      );
      expect(invariants.violations).toEqual([]);
    },
  );
});

describe('the service in a world without other faults', () => {
  it.each(['hang', 'error'] as const)(
    'serves fresh prices while Gamma fails for 8 minutes (%s) [sentence 35]',
    async (kind) => {
      const world = new World({
        seed: 1,
        minutes: 18,
        markets: 60,
        maxMarkets: 40,
        looseShare: 0.2,
      });
      const [from, until] = [world.start + 5 * MINUTE, world.start + 13 * MINUTE];
      world.polymarket.faults.push({ route: 'markets-keyset', kind, share: 1, from, until });
      const invariants = new Invariants(world);
      await world.run(() => invariants.check());
      expect(world.published.length).toBeGreaterThan(16);
      expect(invariants.violations).toEqual([]);
    },
  );

  it('knows 95 % of the 1-hour changes 20 minutes after its first start', async () => {
    const world = new World({
      seed: 1,
      minutes: 23,
      markets: 80,
      maxMarkets: 60,
      looseShare: 0.05,
      life: () => ({ holes: [] }),
    });
    const invariants = new Invariants(world);
    await world.run(() => invariants.check());
    const late = world.published.filter(({ at }) => at >= world.start + 20 * MINUTE);
    const markets = late.flatMap(({ snapshot }) => snapshot.markets);
    // Only a market with a tight book has a midpoint, and so a change.
    const tight = markets.filter(({ midpoint }) => midpoint !== undefined);
    const known = tight.filter(({ oneHourPriceChange }) => oneHourPriceChange !== null);
    const moved = known.filter(({ oneHourPriceChange }) => oneHourPriceChange !== 0);
    expect(tight.length).toBeGreaterThan(100);
    expect(known.length / tight.length).toBeGreaterThan(0.95);
    expect(moved.length).toBeGreaterThan(known.length / 2);
    expect(invariants.violations).toEqual([]);
  });
});
