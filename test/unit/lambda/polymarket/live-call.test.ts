import { describe, expect, it, jest } from '@jest/globals';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import { UpstreamError, type UpstreamErrorDetails } from '../../../../lambda/http-client/upstream-error.ts';
import { LIVE_CALL, liveRead } from '../../../../lambda/polymarket/live-call.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function rig() {
  const clock = new ManualClock();
  const settled = jest.fn<() => void>();
  return { clock, settled, live: liveRead(clock, settled) };
}

/** What a caller is told when the upstream fails like this. */
async function toldOf(details: Partial<UpstreamErrorDetails>): Promise<ServiceError> {
  const { live } = rig();
  const cause = new UpstreamError({ route: 'book', failure: 'network', ...details });
  const error = await live('order book', () => Promise.reject(cause)).catch((caught: unknown) => caught);
  if (!(error instanceof ServiceError)) throw new Error(`No ServiceError: ${String(error)}`);
  expect(error).toMatchObject({ code: 'upstream_unavailable', cause });
  return error;
}

describe('a read for a caller who waits', () => {
  it('has four seconds from its beginning, and half of them for its first attempt', async () => {
    const { clock, live } = rig();
    await clock.advance(777);
    const began = clock.now();
    expect(await live('book', async (deadline) => deadline - began)).toBe(4_000);
    expect(LIVE_CALL).toEqual({ retries: 1, live: true, firstAttemptMs: 2_000, maxBytes: 8_000_000 });
  });

  it('is over when it has settled, well or ill, once', async () => {
    const { live, settled } = rig();
    await live('book', async () => {
      expect(settled).not.toHaveBeenCalled();
    });
    expect(settled).toHaveBeenCalledTimes(1);
    await expect(live('book', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(settled).toHaveBeenCalledTimes(2);
  });

  it('passes on an error that is none of the upstream', async () => {
    const bug = new TypeError('x is undefined');
    await expect(rig().live('book', () => Promise.reject(bug))).rejects.toBe(bug);
  });

  it.each([
    [
      'silence',
      { failure: 'timeout' },
      'The upstream did not respond with the order book in time; try again in a few seconds.',
    ],
    [
      'anything else',
      { failure: 'wrong_shape' },
      'The upstream gave no usable order book; try again in a few seconds.',
    ],
    [
      'an error',
      { failure: 'status', status: 500 },
      'The upstream gave no usable order book; try again in a few seconds.',
    ],
  ] as const)('names what is missing after %s, and no time to wait', async (_, details, message) => {
    const error = await toldOf(details);
    expect(error.message).toBe(message);
    expect(error.retryAfterSeconds).toBeUndefined();
  });

  it.each([
    ['ten seconds where nobody says for how long', undefined, 10],
    ['as long as upstream asks for', 3_000, 3],
    ['whole seconds, rounded up', 3_001, 4],
    ['at least one second', 0, 1],
    ['a minute at most', 60_000, 60],
    ['a minute where upstream asks for more', 60_001, 60],
  ])('says how long to wait where a limit is reached: %s', async (_, retryAfterMs, seconds) => {
    for (const limit of [{ failure: 'status', status: 429 }, { failure: 'rate_limited' }] as const) {
      const error = await toldOf({ ...limit, retryAfterMs });
      expect(error.retryAfterSeconds).toBe(seconds);
      expect(error.message).toBe(
        `The upstream takes no more requests for a moment; try again in ${seconds} seconds.`,
      );
    }
  });
});
