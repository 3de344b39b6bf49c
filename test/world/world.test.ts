import { describe, expect, it, jest } from '@jest/globals';
import { Callers } from './callers.ts';
import { Invariants } from './invariants.ts';
import { conditionsOf, planFaults } from './plan.ts';
import { MINUTE, World } from './world.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

describe('the service in a world with faults', () => {
  // Together they have faults of all four routes, hidden markets, an ignored order, a cursor that
  // leads back, kills, and a faulty table.
  it.each([
    [1, 'catalogue'],
    [4, 'carried'],
    [6, 'untraded'],
  ] as const)(
    'publishes only prices that were true at their times: seed %i, which has "%s"',
    async (seed, source) => {
      const size = { minutes: 30, markets: 250, maxMarkets: 150, loose: 0.4 };
      const world = new World({ seed, ...size, ...conditionsOf(seed), plan: planFaults });
      const invariants = new Invariants(world);
      const callers = new Callers(world, invariants.violation);
      await world.run(() => {
        invariants.check();
        void callers.call();
      });
      expect(world.published.length).toBeGreaterThan(20);
      expect(Math.min(...Object.values(callers.compared))).toBeGreaterThan(20);
      expect([...invariants.checked.keys()]).toEqual(
        expect.arrayContaining(['book', 'trade', source]),
      );
      expect(invariants.violations).toEqual([]);
    },
    120_000,
  );

  it.each(['hang', 'error'] as const)(
    'serves fresh prices while Gamma fails (%s) [sentence 35]',
    async (kind) => {
      const plan = ({ polymarket, start }: World) =>
        void polymarket.faults.push({
          route: 'markets-keyset',
          kind,
          share: 1,
          from: start + 5 * MINUTE,
          until: start + 13 * MINUTE,
        });
      const world = new World({
        seed: 1,
        minutes: 18,
        markets: 60,
        maxMarkets: 40,
        loose: 0.2,
        plan,
      });
      const invariants = new Invariants(world);
      await world.run(() => invariants.check());
      expect(world.published.length).toBeGreaterThan(16);
      expect(invariants.violations).toEqual([]);
    },
    120_000,
  );

  it('knows 95 % of the 1-hour changes 20 minutes after its first start', async () => {
    const world = new World({
      seed: 1,
      minutes: 23,
      markets: 80,
      maxMarkets: 60,
      loose: 0.05,
      life: () => ({ holes: [] }),
    });
    const invariants = new Invariants(world);
    await world.run(() => invariants.check());
    // Only a market with a tight book has a change.
    const tight = world.published
      .filter(({ at }) => at >= world.start + 20 * MINUTE)
      .flatMap(({ snapshot }) => snapshot.markets.filter(({ midpoint }) => midpoint !== undefined));
    expect(tight.length).toBeGreaterThan(100);
    const known = tight.filter(({ oneHourPriceChange }) => oneHourPriceChange !== null);
    expect(known.length / tight.length).toBeGreaterThan(0.95);
    expect(
      known.filter(({ oneHourPriceChange }) => oneHourPriceChange !== 0).length,
    ).toBeGreaterThan(known.length / 2);
    expect(invariants.violations).toEqual([]);
  }, 120_000);
});
