import { describe, expect, it } from '@jest/globals';
import { Invariants } from './invariants.ts';
import { World } from './world.ts';

describe('the service in a world with faults', () => {
  it.each([3, 4])(
    'publishes only prices that were true at their times: seed %i',
    async (seed) => {
      const world = new World({ seed, minutes: 30, markets: 250, maxMarkets: 150, loose: 0.4 });
      const invariants = new Invariants(world);
      await world.run(() => invariants.check());
      expect(world.published.length).toBeGreaterThan(20);
      expect([...invariants.checked.keys()]).toEqual(expect.arrayContaining(['book', 'trade', 'untraded']));
      expect(invariants.violations).toEqual([]);
    },
    120_000,
  );
});
