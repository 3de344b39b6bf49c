/**
 * The client package sleeps between two attempts, and limits the time of a request. Both end when
 * the signal of the caller aborts.
 */
import { getEventListeners } from 'node:events';
import { expect, it } from '@jest/globals';
import { SYSTEM_TIMING, withTimeout } from '../../packages/client/src/timing.ts';

it('a sleep rejects with the reason of the signal, before and during it', async () => {
  const reason = new Error('enough');
  await expect(SYSTEM_TIMING.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const abort = new AbortController();
  const sleeping = SYSTEM_TIMING.sleep(60_000, abort.signal);
  abort.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});

it('a sleep and a time limit leave no listener on the signal', async () => {
  const { signal } = new AbortController();
  await SYSTEM_TIMING.sleep(0, signal);
  const unlimitedMs = Number.POSITIVE_INFINITY;
  const result = await withTimeout(SYSTEM_TIMING, unlimitedMs, signal, async () => 'done');
  expect(result).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
