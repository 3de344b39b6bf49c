import { describe, expect, it } from '@jest/globals';
import { CallQueue, sharedQueue } from '../../../../lambda/io/upstream/call-queue.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';

// Calls to a route of Polymarket wait in a queue until its limits allow them: how many calls begin
// in 10 s (the rate), and how many are under way (the concurrency). A call that cannot begin before
// its deadline is refused.

/** A queue with these limits, and calls whose deadline is a minute later by default. */
function rig(limits: { readonly callsPer10Seconds: number; readonly concurrency: number }) {
  const clock = new ManualClock();
  const queue = new CallQueue('book', limits, clock);
  /** The names of the calls that have begun, in order. */
  const began: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  /** A call that ends when the test says so. */
  function call(name: string, withinMs = 60_000) {
    const untilEnd = Promise.withResolvers<void>();
    ends.set(name, untilEnd);
    const work = async () => {
      began.push(name);
      await untilEnd.promise;
    };
    return outcome(queue.run(clock.now() + withinMs, work));
  }
  async function end(name: string): Promise<void> {
    ends.get(name)?.resolve();
    await clock.advance(0);
  }
  /** A call that ends at once. */
  function quick(name: string, withinMs = 60_000) {
    return outcome(queue.run(clock.now() + withinMs, async () => began.push(name)));
  }
  return { clock, queue, began, call, end, quick };
}

describe('the concurrency of a route', () => {
  it('lets the next call begin when one ends', async () => {
    const { began, call, end, clock } = rig({ callsPer10Seconds: 100, concurrency: 2 });
    for (const name of ['a', 'b', 'c', 'd']) void call(name);
    await clock.advance(0);
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(began).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets the next call begin when one fails', async () => {
    const { began, quick, queue, clock } = rig({ callsPer10Seconds: 100, concurrency: 1 });
    const failing = queue.run(clock.now() + 1_000, () => Promise.reject(new Error('no')));
    const next = quick('next');
    await expect(failing).rejects.toThrow('no');
    await next;
    expect(began).toEqual(['next']);
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
    // "a" begins after 0 s and "b" after 4 s, so "c" begins after 10 s and "d" after 14 s. "e"
    // waits.
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
    const { clock, began, quick } = rig({ callsPer10Seconds: 1, concurrency: 5 });
    await quick('before');
    await clock.advance(-50_000);
    await quick('after');
    expect(began).toEqual(['before', 'after']);
  });
});

// So a caller, who waits for a few seconds, does not wait behind a refresh of the whole list.
it('waiting calls begin in the order of their deadlines, then of their arrival', async () => {
  const { clock, began, call, end } = rig({ callsPer10Seconds: 100, concurrency: 1 });
  void call('hangs');
  await clock.advance(0);
  for (const name of ['refresh 1', 'refresh 2']) void call(name, 60_000);
  for (const name of ['live 1', 'live 2']) void call(name, 4_000);
  for (const name of ['hangs', 'live 1', 'live 2', 'refresh 1']) await end(name);
  expect(began).toEqual(['hangs', 'live 1', 'live 2', 'refresh 1', 'refresh 2']);
});

it('all clients of an address, a route and a clock share one queue', () => {
  const clock = new ManualClock();
  const limits = { callsPer10Seconds: 1, concurrency: 1 };
  const queue = sharedQueue('http://a', 'book', limits, clock);
  expect(sharedQueue('http://a', 'book', limits, clock)).toBe(queue);
  expect(sharedQueue('http://b', 'book', limits, clock)).not.toBe(queue);
  expect(sharedQueue('http://a', 'books', limits, clock)).not.toBe(queue);
  expect(sharedQueue('http://a', 'book', limits, new ManualClock())).not.toBe(queue);
});
