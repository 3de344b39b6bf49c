import { describe, expect, it } from '@jest/globals';
import { LiveCache } from '../../../../lambda/io/polymarket/live-cache.ts';
import { liveRead } from '../../../../lambda/io/polymarket/live-read.ts';
import {
  UpstreamError,
  type UpstreamErrorDetails,
} from '../../../../lambda/io/upstream/upstream-error.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';

// A live read is one that a caller of the service waits for. `liveRead` limits its time, and turns
// the errors of Polymarket ("upstream") into those that the caller gets. `LiveCache` keeps what
// live reads returned, and lets requests for the same value share one load.

/** The error that a caller gets if a read fails like this. */
function failing(details: Partial<UpstreamErrorDetails>) {
  const cause = new UpstreamError({ route: 'book', failure: 'network', ...details });
  return outcome(liveRead(new ManualClock())('order book', () => Promise.reject(cause)));
}

describe('a read while a caller waits', () => {
  it('has four seconds from its beginning', async () => {
    const clock = new ManualClock();
    const live = liveRead(clock);
    // Any time: the four seconds do not begin with the process.
    await clock.advance(777);
    const began = clock.now();
    expect(await live('book', async (deadline) => deadline - began)).toBe(4_000);
  });

  it('passes on an error that is not about the upstream', async () => {
    const bug = new TypeError('x is undefined');
    await expect(liveRead(new ManualClock())('book', () => Promise.reject(bug))).rejects.toBe(bug);
  });

  it.each<{ details: Partial<UpstreamErrorDetails>; problem: string }>([
    {
      details: { failure: 'timeout' },
      problem: 'The upstream did not return the order book in time.',
    },
    {
      details: { failure: 'status', status: 500 },
      problem: 'The upstream returned no usable order book.',
    },
  ])('is a 502 after $details, and says when to try again [sentence 36]', async (row) => {
    expect(await failing(row.details)).toMatchObject({
      name: 'ServiceError',
      code: 'upstream_unavailable',
      message: `${row.problem} Try again in 5 seconds.`,
      cause: { name: 'UpstreamError', route: 'book' },
      retryAfterSeconds: 5,
    });
  });

  it.each([
    { wait: 'ten seconds by default', retryAfterMs: undefined, seconds: 10 },
    { wait: 'whole seconds, rounded up', retryAfterMs: 3_001, seconds: 4 },
    { wait: 'at least one second', retryAfterMs: 0, seconds: 1 },
    { wait: 'at most a minute', retryAfterMs: 60_001, seconds: 60 },
  ])('says when to try again after a limit: $wait [sentence 36]', async (row) => {
    const { retryAfterMs, seconds } = row;
    expect(await failing({ failure: 'status', status: 429, retryAfterMs })).toMatchObject({
      code: 'upstream_unavailable',
      retryAfterSeconds: seconds,
      message: `The upstream accepts no more requests at the moment. Try again in ${seconds} seconds.`,
    });
    expect(await failing({ failure: 'paused', retryAfterMs })).toMatchObject({
      code: 'upstream_unavailable',
    });
    expect(await failing({ failure: 'rate_limited', retryAfterMs })).toMatchObject({
      code: 'upstream_busy',
      retryAfterSeconds: seconds,
      message: `This service makes no more calls to the upstream at the moment. Try again in ${seconds} seconds.`,
    });
  });
});

interface Value {
  readonly text: string;
}

/** A cache that keeps values for a minute. Their sizes are the lengths of their texts. */
function rig(maxSize = 100) {
  const clock = new ManualClock();
  const cache = new LiveCache<Value>({
    clock,
    ttlMs: 60_000,
    maxSize,
    sizeOf: ({ text }) => text.length,
  });
  let loads = 0;
  const load = async (): Promise<Value> => ({ text: `load ${++loads}` });
  return { clock, cache, load };
}

describe('a cached value', () => {
  it('has its time counted from the beginning of its load', async () => {
    const { clock, cache, load } = rig();
    const first = Promise.withResolvers<Value>();
    const value = cache.get('a', () => first.promise);
    await clock.advance(3_500);
    first.resolve({ text: 'first' });
    await value;
    // Of the minute, 56.5 s remain.
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

// Lambda can freeze a container during a load, and continue it minutes later.
describe('a load of the cache', () => {
  it('is joined for four seconds only: before that, the container may have been frozen', async () => {
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
    await clock.advance(4_001);
    expect(await cache.get('a', load)).toEqual({ text: 'load 1' });
    slow.resolve({ text: 'slow' });
    expect(await after).toEqual({ text: 'slow' });
    expect(await cache.get('a', load)).toEqual({ text: 'load 1' });
  });
});
