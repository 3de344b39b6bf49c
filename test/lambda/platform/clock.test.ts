import { describe, expect, it } from '@jest/globals';
import { type Clock, TimeoutError, withTimeout } from '../../../lambda/platform/clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A clock that counts the timers that are neither due nor cancelled. */
class CountingClock implements Clock {
  readonly #clock = new ManualClock();
  readonly #open = new Set<symbol>();
  now = this.#clock.now;

  get open(): number {
    return this.#open.size;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = Symbol('timer');
    this.#open.add(timer);
    const cancel = this.#clock.after(ms, () => {
      this.#open.delete(timer);
      callback();
    });
    return () => {
      this.#open.delete(timer);
      cancel();
    };
  }

  advance(ms: number): Promise<void> {
    return this.#clock.advance(ms);
  }
}

describe('withTimeout', () => {
  it.each([
    ['arrives', async () => 'result'],
    ['fails', async () => await Promise.reject(new Error('failed'))],
  ])('leaves no timer when the result %s', async (_, work) => {
    const clock = new CountingClock();
    await withTimeout(clock, 10_000, work).catch(() => undefined);
    expect(clock.open).toBe(0);
  });

  it('rejects after its time and aborts the work', async () => {
    const clock = new CountingClock();
    let signal: AbortSignal | undefined;
    const result = withTimeout(clock, 10_000, (given) => {
      signal = given;
      return new Promise(() => undefined);
    }).catch((error: unknown) => error);
    await clock.advance(9_999);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(await result).toBeInstanceOf(TimeoutError);
    expect(signal?.aborted).toBe(true);
    expect(clock.open).toBe(0);
  });
});
