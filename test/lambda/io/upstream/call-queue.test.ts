import { describe, expect, it } from '@jest/globals';
import { CallQueue, callQueue } from '../../../../lambda/io/upstream/call-queue.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';

/**
 * A queue with these limits. `began` has the names of the calls that have begun, in order. A call
 * must begin before its deadline, a minute later by default.
 */
function rig(limits: { readonly callsPer10Seconds: number; readonly concurrency: number }) {
  const clock = new ManualClock();
  const queue = new CallQueue('book', limits, clock);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  /** A call that ends when the test says so. */
  const call = (name: string, withinMs = 60_000) =>
    outcome(
      queue.run(clock.now() + withinMs, async () => {
        began.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await clock.advance(0);
  };
  /** A call that ends at once. */
  const quick = (name: string, withinMs = 60_000) =>
    outcome(queue.run(clock.now() + withinMs, async () => began.push(name)));
  return { clock, queue, began, call, end, quick };
}

describe('the concurrency of a route', () => {
  it('lets the next call begin when one ends, well or not', async () => {
    const { began, call, end, queue, clock } = rig({ callsPer10Seconds: 100, concurrency: 2 });
    for (const name of ['a', 'b', 'c', 'd']) void call(name);
    await clock.advance(0);
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
    const failing = outcome(queue.run(clock.now() + 1_000, () => Promise.reject(new Error('no'))));
    await end('a');
    await end('c');
    expect(await failing).toMatchObject({ message: 'no' });
    expect(began).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses a call at its deadline when no slot gets free', async () => {
    const { clock, began, call } = rig({ callsPer10Seconds: 100, concurrency: 1 });
    void call('hangs');
    const late = call('late', 3_000);
    await clock.advance(3_000);
    expect(await late).toMatchObject({ failure: 'rate_limited', retryAfterMs: undefined });
    expect(began).toEqual(['hangs']);
  });
});

describe('the rate of a route', () => {
  it('lets the third call begin 10 s after the first if two may begin in 10 s', async () => {
    const { clock, began, quick } = rig({ callsPer10Seconds: 2, concurrency: 10 });
    // "a" begins after 0 s and "b" after 4 s, so "c" begins after 10 s and "d" after 14 s.
    void quick('a');
    await clock.advance(4_000);
    void quick('b');
    for (const name of ['c', 'd', 'e']) void quick(name);
    await clock.advance(5_999);
    expect(began).toEqual(['a', 'b']);
    await clock.advance(1);
    expect(began).toEqual(['a', 'b', 'c']);
    await clock.advance(3_999);
    expect(began).toEqual(['a', 'b', 'c']);
    await clock.advance(1);
    expect(began).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses at once a call whose turn would come at its deadline or later', async () => {
    const { began, quick } = rig({ callsPer10Seconds: 1, concurrency: 5 });
    void quick('first');
    expect(await quick('late', 10_000)).toMatchObject({
      failure: 'rate_limited',
      retryAfterMs: 10_000,
    });
    expect(began).toEqual(['first']);
  });

  it('forgets its calls when the clock is set back', async () => {
    const times = [100_000, 100_000, 50_000];
    const clock = { now: () => times.shift() ?? 50_000, after: () => () => undefined };
    const queue = new CallQueue('book', { callsPer10Seconds: 1, concurrency: 5 }, clock);
    expect(await queue.run(200_000, async () => 'first')).toBe('first');
    expect(await queue.run(200_000, async () => 'second')).toBe('second');
  });
});

it('the order of waiting calls is by deadline, then by arrival: a caller does not wait behind a refresh', async () => {
  const { clock, began, call, end } = rig({ callsPer10Seconds: 100, concurrency: 1 });
  void call('hangs');
  await clock.advance(0);
  for (const name of ['refresh 1', 'refresh 2']) void call(name, 60_000);
  for (const name of ['live 1', 'live 2']) void call(name, 4_000);
  for (const name of ['hangs', 'live 1', 'live 2', 'refresh 1']) await end(name);
  expect(began).toEqual(['hangs', 'live 1', 'live 2', 'refresh 1', 'refresh 2']);
});

it('the queue of a route is one for each address, route and clock', () => {
  const clock = new ManualClock();
  const limits = { callsPer10Seconds: 1, concurrency: 1 };
  const queue = callQueue('http://a', 'book', limits, clock);
  expect(callQueue('http://a', 'book', limits, clock)).toBe(queue);
  expect(callQueue('http://b', 'book', limits, clock)).not.toBe(queue);
  expect(callQueue('http://a', 'books', limits, clock)).not.toBe(queue);
  expect(callQueue('http://a', 'book', limits, new ManualClock())).not.toBe(queue);
});
