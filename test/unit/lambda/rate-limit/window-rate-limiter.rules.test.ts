import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { TimeoutError } from '../../../../lambda/platform/timeout.ts';
import { ClientCounter } from '../../../../lambda/rate-limit/client-counter.ts';
import { ClientKeys } from '../../../../lambda/rate-limit/client-key.ts';
import { NetworkLimit } from '../../../../lambda/rate-limit/network-limit.ts';
import type { RequestLog } from '../../../../lambda/rate-limit/request-log.ts';
import { WindowRateLimiter } from '../../../../lambda/rate-limit/window-rate-limiter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryRequestLog } from '../../../support/memory-request-log.ts';

const WINDOW = 60_000;
const SECRET = { secret: { B: new Uint8Array(32) } };
const ADDRESS = { address: '192.0.2.1' };
const inNetwork = (n: number) => ({ address: `2001:db8:1:${n}::/64`, network: '2001:db8:1::/48' });

interface Rig {
  readonly limit?: number;
  /** Requests of a network that pass; every one is sampled. */
  readonly networkLimit?: number;
  readonly log?: RequestLog;
  /** What the die of the samples shows, 0 to below 1. */
  readonly die?: number;
}

/** A limiter in memory: nothing of it waits for anything. */
function rig({ limit = 2, networkLimit = 100, log: own, die = 0 }: Rig = {}) {
  const clock = new ManualClock();
  const start = clock.now();
  const log = own ?? new MemoryRequestLog({ now: clock.now });
  const loads = { count: 0 };
  const unused = () => Promise.reject(new Error('The keys only update'));
  const update = () => {
    loads.count += 1;
    return Promise.resolve(SECRET);
  };
  const keys = new ClientKeys({
    client: { get: unused, put: unused, update },
    table: 'rate-limits',
    randomBytes,
  });
  const counterOf = (most: number) => new ClientCounter({ limit: most, log, now: clock.now, randomBytes });
  const failures: unknown[] = [];
  const refusals: { key: string; cached: boolean }[] = [];
  const limiter = new WindowRateLimiter({
    keys,
    addresses: counterOf(limit),
    networks: new NetworkLimit({ samples: counterOf(networkLimit), random: () => die }),
    clock,
    onUnavailable: (error) => failures.push(error),
    onRefused: (key, cached) => refusals.push({ key, cached }),
  });
  return { clock, start, keys, loads, limiter, failures, refusals };
}

describe('the limiter', () => {
  it('says the limit of an address', () => {
    expect(rig({ limit: 7 }).limiter.limit).toBe(7);
  });

  it('has the secret of the keys once it is prepared', async () => {
    const { limiter, keys, loads } = rig();
    await limiter.prepare();
    expect(keys.knownKeyOf(ADDRESS.address)).toBeDefined();
    await limiter.check(ADDRESS);
    expect(loads.count).toBe(1);
  });

  it('knows of no refusal before it has a key', () => {
    const { limiter, refusals } = rig();
    expect(limiter.cachedRefusal(ADDRESS)).toBeUndefined();
    expect(limiter.cachedRefusal(inNetwork(1))).toBeUndefined();
    expect(refusals).toEqual([]);
  });
});

describe('an address', () => {
  it('passes until its limit is used, and is told what is left', async () => {
    const { limiter, start, refusals } = rig();
    expect(await limiter.check(ADDRESS)).toEqual({ allowed: true, remaining: 1, resetAt: start + WINDOW });
    expect(await limiter.check(ADDRESS)).toEqual({ allowed: true, remaining: 0, resetAt: start + WINDOW });
    expect(limiter.cachedRefusal(ADDRESS)).toBeUndefined();
    expect(refusals).toEqual([]);
    expect(await limiter.check(ADDRESS)).toEqual({ allowed: false, remaining: 0, resetAt: start + WINDOW });
  });

  it('that is refused is told of by its key, once by the table and each time from memory', async () => {
    const { limiter, keys, refusals, start } = rig();
    for (let n = 0; n < 3; n += 1) await limiter.check(ADDRESS);
    const key = keys.knownKeyOf(ADDRESS.address);
    expect(refusals).toEqual([{ key, cached: false }]);
    expect(limiter.cachedRefusal(ADDRESS)).toMatchObject({ allowed: false, resetAt: start + WINDOW });
    expect(refusals.slice(1)).toEqual([{ key, cached: true }]);
    expect(limiter.cachedRefusal({ address: '192.0.2.2' })).toBeUndefined();
    expect(refusals).toHaveLength(2);
  });
});

describe('a network', () => {
  it('that is refused refuses an address of its own, and is told of by its own key', async () => {
    const { limiter, keys, refusals } = rig({ networkLimit: 1 });
    expect(await limiter.check(inNetwork(1))).toMatchObject({ allowed: true, remaining: 1 });
    expect(await limiter.check(inNetwork(2))).toMatchObject({ allowed: false, remaining: 0 });
    expect(refusals).toEqual([{ key: keys.knownKeyOf(inNetwork(2).network), cached: false }]);
    expect(limiter.cachedRefusal(inNetwork(3))).toMatchObject({ allowed: false });
    expect(refusals[1]).toEqual({ key: keys.knownKeyOf(inNetwork(3).address), cached: true });
    expect(limiter.cachedRefusal(ADDRESS)).toBeUndefined();
  });

  it('whose address is refused, too, is not told of a second time', async () => {
    const { limiter, keys, refusals } = rig({ limit: 1, networkLimit: 1 });
    await limiter.check(inNetwork(1));
    await limiter.check(inNetwork(1));
    expect(refusals).toEqual([{ key: keys.knownKeyOf(inNetwork(1).address), cached: false }]);
  });

  it('that is not sampled leaves the result to the address', async () => {
    const { limiter, failures } = rig({ die: 0.5, networkLimit: 1 });
    for (const n of [1, 2, 3]) {
      expect(await limiter.check(inNetwork(n))).toMatchObject({ allowed: true, remaining: 1 });
    }
    expect(failures).toEqual([]);
  });
});

describe('a count that cannot be had', () => {
  const never = () => new Promise<never>(() => undefined);

  it('lets the request pass, and is told of with its error', async () => {
    const down = new Error('down');
    const fail = () => Promise.reject(down);
    const { limiter, failures, refusals } = rig({ log: { append: fail, replace: fail } });
    expect(await limiter.check(ADDRESS)).toBeUndefined();
    expect([failures, refusals]).toEqual([[down], []]);
  });

  it('in 500 ms is given up: the log is told, and so is the operator', async () => {
    const signals: AbortSignal[] = [];
    const append: RequestLog['append'] = (_key, _entry, _limits, signal) => {
      signals.push(signal);
      return never();
    };
    const { clock, limiter, failures } = rig({ log: { append, replace: never } });
    const checking = limiter.check(inNetwork(1));
    await clock.advance(499);
    expect([signals.map(({ aborted }) => aborted), failures]).toEqual([[false, false], []]);
    await clock.advance(1);
    expect(await checking).toBeUndefined();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(failures).toEqual([expect.any(TimeoutError), expect.any(TimeoutError)]);
  });

  it('of a network leaves the result to the address', async () => {
    const { clock, keys, limiter, failures } = rig();
    await limiter.prepare();
    const networkKey = keys.knownKeyOf(inNetwork(1).network);
    const memory = new MemoryRequestLog({ now: clock.now });
    const append: RequestLog['append'] = (key, entry, limits) =>
      key === networkKey ? Promise.reject(new Error('down')) : memory.append(key, entry, limits);
    const one = rig({ log: { append, replace: never } });
    expect(await one.limiter.check(inNetwork(1))).toMatchObject({ allowed: true, remaining: 1 });
    expect([failures.length, one.failures.length]).toEqual([0, 1]);
  });
});
