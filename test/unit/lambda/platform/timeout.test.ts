import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../../../lambda/platform/clock.ts';
import { withTimeout } from '../../../../lambda/platform/timeout.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const never = () => new Promise<never>(() => undefined);
const outcome = (promise: Promise<unknown>) => promise.catch((error: Error) => error.message);

/** A clock of a container that is busy: what is due comes when the test says so, as late as it likes. */
function lateClock(): Clock & { ring(): void } {
  const due: (() => void)[] = [];
  return {
    now: () => 0,
    after: (_ms, callback) => {
      due.push(callback);
      return () => undefined;
    },
    ring: () => due.shift()?.(),
  };
}

describe('a deadline', () => {
  it('gives the result, or the error, of work that ends in time', async () => {
    const clock = new ManualClock();
    expect(await withTimeout(clock, 500, async () => 'done')).toBe('done');
    expect(await outcome(withTimeout(clock, 500, () => Promise.reject(new Error('broken'))))).toBe('broken');
  });

  it('ends the waiting to the millisecond and tells the work', async () => {
    const clock = new ManualClock();
    let signal: AbortSignal | undefined;
    const waiting = withTimeout(clock, 120, (given) => {
      signal = given;
      return never();
    }).catch((error: Error) => error.message);
    await clock.advance(119);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(signal?.aborted).toBe(true);
    expect(await waiting).toBe('No response within 120 ms');
  });

  it('hears a result that came while the container was busy for longer than the deadline', async () => {
    const clock = lateClock();
    let finish: (text: string) => void = () => undefined;
    const waiting = withTimeout(
      clock,
      500,
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    clock.ring(); // seconds late: the first timer to run after the work that kept the container busy
    await new Promise((resolve) => setImmediate(resolve)); // then the sockets are read
    finish('it was there');
    expect(await waiting).toBe('it was there');
  });

  it('may lie infinitely far away, or in the past', async () => {
    const clock = new ManualClock();
    expect(await withTimeout(clock, Number.POSITIVE_INFINITY, async () => 'done')).toBe('done');
    await expect(withTimeout(clock, -1, never)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
