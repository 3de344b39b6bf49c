import { describe, expect, it, jest } from '@jest/globals';
import { TimeoutError, withTimeout } from '../../../../lambda/io/platform/clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('withTimeout', () => {
  it.each([
    ['arrives', async () => 'result'],
    ['fails', async () => await Promise.reject(new Error('failed'))],
  ])('leaves no timer when the result %s', async (_, work) => {
    const clock = new ManualClock();
    await withTimeout(clock, 10_000, work).catch(() => undefined);
    expect(clock.timers).toBe(0);
  });

  it('rejects after its time and aborts the work', async () => {
    const clock = new ManualClock();
    const work = jest.fn((_signal: AbortSignal) => new Promise(() => undefined));
    const result = withTimeout(clock, 10_000, work).catch((error: unknown) => error);
    const [signal] = work.mock.calls[0] ?? [];
    await clock.advance(9_999);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(await result).toBeInstanceOf(TimeoutError);
    expect(signal?.aborted).toBe(true);
    expect(clock.timers).toBe(0);
  });
});
