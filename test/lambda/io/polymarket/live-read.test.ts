import { describe, expect, it } from '@jest/globals';
import { liveRead } from '../../../../lambda/io/polymarket/live-read.ts';
import {
  UpstreamError,
  type UpstreamErrorDetails,
} from '../../../../lambda/io/upstream/upstream-error.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';

// A live read is one that a caller of the service waits for. `liveRead` limits its time, and turns
// the errors of Polymarket ("upstream") into those that the caller gets.

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
