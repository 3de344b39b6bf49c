import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WINDOW_MS } from '../../../../lambda/rate-limit/sliding-window.ts';
import { mostWithin } from '../../../support/most-within.ts';
import { count, LIMIT, rig, START, signal } from './counting-containers.ts';

describe.each([1_000, 3_000])('%i simultaneous requests of one client', (requests) => {
  const UNITS_PER_SECOND = 1_000;

  it('never get more than 60 served in any 60 s where a key takes 1,000 units a second', async () => {
    const { time, log, container } = rig({ unitsPerSecond: UNITS_PER_SECOND });
    const containers = Array.from({ length: 50 }, () => container());
    const served: number[] = [];
    // At once, again while the table throttles, and around the moment when the first ones leave the window.
    for (const at of [0, 300, 900, 1_000, 59_999, 60_000, 60_001, 61_000, 120_000]) {
      time.now = START + at;
      const results = await Promise.all(
        Array.from({ length: requests }, (_, n) => containers[n % 50]?.count('client', signal)),
      );
      served.push(...results.flatMap((result) => (result?.allowed ? [at] : [])));
      expect(await count(container(), `bystander ${at}`)).toBe(true);
    }
    expect(mostWithin(served, WINDOW_MS)).toBe(LIMIT);
    expect(log.throttled).toBeGreaterThan(requests - UNITS_PER_SECOND);
    expect(log.entries('client').length).toBeLessThanOrEqual(80);
  });

  it('cost one unit each while they are refused', async () => {
    const { log, container } = rig();
    const containers = Array.from({ length: 50 }, () => container());
    await Promise.all(
      Array.from({ length: requests }, (_, n) => containers[n % 50]?.count('client', signal)),
    );
    expect(log.units).toBe(requests);
  });
});

describe('several containers', () => {
  it('whose clocks differ by a second let 60 through in any 59 s', async () => {
    const skews = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 2, maxLength: 5 });
    const steps = fc.array(fc.record({ pause: fc.nat(2_500), burst: fc.integer({ min: 1, max: 30 }) }), {
      minLength: 40,
      maxLength: 80,
    });
    await fc.assert(
      fc.asyncProperty(skews, steps, async (clocks, all) => {
        const { time, container } = rig({ limit: 10 });
        const containers = clocks.map((skew) => container(skew));
        const served: number[] = [];
        for (const { pause, burst } of all) {
          time.now += pause;
          const results = await Promise.all(
            Array.from({ length: burst }, (_, n) => containers[n % clocks.length]?.count('client', signal)),
          );
          served.push(...results.flatMap((result) => (result?.allowed ? [time.now] : [])));
        }
        expect(mostWithin(served, WINDOW_MS - 1_000)).toBeLessThanOrEqual(10);
      }),
      { numRuns: 20 },
    );
  });
});
