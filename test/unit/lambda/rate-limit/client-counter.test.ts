import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RequestLog } from '../../../../lambda/rate-limit/request-log.ts';
import { slidingWindow, WINDOW_MS } from '../../../../lambda/rate-limit/sliding-window.ts';
import type { MemoryRequestLog } from '../../../support/memory-request-log.ts';
import { count, LIMIT, rig, START, signal } from './counting-containers.ts';

describe('one container', () => {
  it('counts down, refuses the 61st request, and then without asking the log for some seconds', async () => {
    const { time, log, container } = rig();
    const counter = container();
    const results = [];
    for (let n = 0; n <= LIMIT; n += 1) results.push(await counter.count('client', signal));
    expect(results[0]).toEqual({ allowed: true, remaining: 59, resetAt: START + WINDOW_MS });
    expect(results[59]).toMatchObject({ allowed: true, remaining: 0 });
    expect(results[60]).toEqual({ allowed: false, remaining: 0, resetAt: START + WINDOW_MS });
    const { units } = log;
    time.now += 4_999;
    expect(await count(counter)).toBe(false);
    expect(log.units).toBe(units);
    time.now += 1;
    expect(counter.cachedRefusal('client')).toBeUndefined();
  });

  it('is exact: allows what the rule allows, whatever comes when, at little more than a unit a request', async () => {
    const pauses = fc.oneof(
      fc.constantFrom(0, 1, 999, 1_000, 30_000, 59_999, 60_000, 60_001),
      fc.nat(70_000),
    );
    const bursts = fc.array(fc.record({ pause: pauses, count: fc.integer({ min: 1, max: 40 }) }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(bursts, fc.constantFrom(1, 5, 20), async (all, limit) => {
        const { time, log, container } = rig({ limit });
        const counter = container();
        const allowed: number[] = [];
        let requests = 0;
        for (const burst of all) {
          time.now += burst.pause;
          for (let n = 0; n < burst.count; n += 1) {
            requests += 1;
            const expected = slidingWindow(limit, time.now, allowed);
            expect(await counter.count('client', signal)).toEqual(expected);
            if (expected.allowed) allowed.push(time.now);
          }
        }
        // A full list costs a second write, and there is none without 20 requests since the last time.
        expect(log.units).toBeLessThanOrEqual(requests + 1 + requests / 20);
      }),
      { numRuns: 20 },
    );
  });

  it('costs 1.05 units a request of a client who never pauses', async () => {
    const { time, log, container } = rig();
    const counter = container();
    for (let second = 0; second < 1_200; second += 1) {
      time.now += 1_000;
      expect(await count(counter)).toBe(true);
    }
    expect(log.units).toBeLessThanOrEqual(1_200 * 1.05);
  });

  it('serves a client who is a little too fast as much as any other', async () => {
    const { time, container } = rig();
    const counter = container();
    let allowed = 0;
    for (let request = 0; request < 10 * 70; request += 1) {
      time.now = START + Math.floor((request * 60_000) / 70);
      if ((await counter.count('client', signal)).allowed) allowed += 1;
    }
    expect(allowed).toBeGreaterThanOrEqual(10 * LIMIT);
  });
});

describe('several containers', () => {
  it('let exactly 60 of 200 concurrent first requests through', async () => {
    const { container } = rig();
    const containers = Array.from({ length: 8 }, () => container());
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, n) => containers[n % 8]?.count('client', signal)),
    );
    const remaining = results.flatMap((result) => (result?.allowed ? [result.remaining] : []));
    expect(remaining).toEqual(Array.from({ length: LIMIT }, (_, n) => 59 - n));
  });
});

/** A log whose client hears of its second attempt only. */
function repeating(log: MemoryRequestLog): RequestLog {
  return {
    append: async (key, entry, limits) => {
      await log.append(key, entry, limits);
      return log.append(key, entry, limits);
    },
    replace: async (key, seen, replacement) => {
      await log.replace(key, seen, replacement);
      return log.replace(key, seen, replacement);
    },
  };
}

describe('a write whose response was lost', () => {
  it('is counted once when the SDK repeats it', async () => {
    const { log, container } = rig({ limit: 3 });
    const counter = container(0, repeating(log));
    const results = [];
    for (let n = 0; n < 4; n += 1) results.push(await counter.count('client', signal));
    expect(results.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(results.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
  });

  it.each([79, 80])('is allowed although its repetition met a list of %i entries', async (entries) => {
    const { time, log, container } = rig();
    const counter = container();
    for (let n = 0; n < entries; n += 1) await counter.count('client', signal);
    time.now += WINDOW_MS;
    const unlucky = container(0, repeating(log));
    expect(await unlucky.count('client', signal)).toMatchObject({ allowed: true, remaining: 59 });
    expect(await unlucky.count('client', signal)).toMatchObject({ allowed: true, remaining: 58 });
  });
});

describe('a log that fails', () => {
  const failing = (error: Error): RequestLog => ({
    append: () => Promise.reject(error),
    replace: () => Promise.reject(error),
  });

  it('is an error that the limiter hears of', async () => {
    const counter = rig().container(0, failing(new Error('down')));
    await expect(counter.count('client', signal)).rejects.toThrow('down');
    expect(counter.cachedRefusal('client')).toBeUndefined();
  });
});
