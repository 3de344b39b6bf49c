import { describe, expect, it } from '@jest/globals';
import { LiveCache } from '../../../../lambda/io/polymarket/live-cache.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';

// A container of the API reads some data from Polymarket while a caller waits. `LiveCache` keeps each
// value for a short time, here a minute, so that requests for the same key share one load.

interface Value {
  readonly text: string;
}

/** A cache of values with texts. The size of a value is the length of its text. */
function rig(maxSize = 100) {
  const clock = new ManualClock();
  const cache = new LiveCache<Value>({
    clock,
    ttlMs: 60_000,
    maxSize,
    sizeOf: ({ text }) => text.length,
  });
  let loads = 0;
  /** Returns the values "load 1", "load 2" and so on. */
  const load = async (): Promise<Value> => ({ text: `load ${++loads}` });
  return { clock, cache, load };
}

describe('a cached value', () => {
  it('is kept for a minute from the beginning of its load', async () => {
    const { clock, cache, load } = rig();
    const first = Promise.withResolvers<Value>();
    const value = cache.get('a', () => first.promise);
    await clock.advance(3_500);
    first.resolve({ text: 'first' });
    await value;
    // The load took 3.5 s of the minute, so 56.5 s remain.
    expect(cache.remainingSeconds('a')).toBe(56);
    await clock.advance(56_501);
    expect(await cache.get('a', load)).toEqual({ text: 'load 1' });
  });

  it('makes room for others, and is not cached if it is larger than the cache', async () => {
    // "load 1" has six characters, so two values fit.
    const { cache, load } = rig(13);
    for (const key of ['a', 'b', 'c']) await cache.get(key, load);
    expect(await cache.get('c', load)).toEqual({ text: 'load 3' });
    expect(await cache.get('a', load)).toEqual({ text: 'load 4' });
    const large = async () => ({ text: 'x'.repeat(14) });
    expect(await cache.get('d', large)).toEqual({ text: 'x'.repeat(14) });
    expect(cache.remainingSeconds('d')).toBe(0);
  });
});

// Lambda can freeze a container during a load, and continue it minutes later. So requests join a load
// for four seconds only: after that, it may be from before a freeze.
describe('a load of the cache', () => {
  it('is joined for four seconds, and its late value does not replace a newer one', async () => {
    const { clock, cache, load } = rig();
    const frozen = Promise.withResolvers<Value>();
    const before = outcome(cache.get('a', () => frozen.promise));
    await clock.advance(4_000);
    const joined = outcome(cache.get('a', load));
    await clock.advance(600_000);
    expect(await cache.get('a', load)).toEqual({ text: 'load 1' });
    frozen.resolve({ text: 'ten minutes old' });
    expect(await cache.get('a', load)).toEqual({ text: 'load 1' });
    await Promise.all([before, joined]);
  });

  it('from before a freeze can fail without an effect on the next one', async () => {
    const { clock, cache, load } = rig();
    const [frozen, slow] = [Promise.withResolvers<Value>(), Promise.withResolvers<Value>()];
    const before = outcome(cache.get('a', () => frozen.promise));
    await clock.advance(600_000);
    const after = cache.get('a', () => slow.promise);
    frozen.reject(new Error('reset'));
    await before;
    // Longer than a load is joined, so the next request has its own load.
    await clock.advance(4_001);
    expect(await cache.get('a', load)).toEqual({ text: 'load 1' });
    slow.resolve({ text: 'slow' });
    expect(await after).toEqual({ text: 'slow' });
    expect(await cache.get('a', load)).toEqual({ text: 'load 1' });
  });
});
