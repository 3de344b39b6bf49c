import { expect, it } from '@jest/globals';
import { SYSTEM_TIMING } from '../../packages/client/src/timing.ts';

it('sleeps at least as long as it should', async () => {
  const start = SYSTEM_TIMING.now();
  await SYSTEM_TIMING.sleep(20);
  // Timers may fire a fraction of a millisecond early.
  expect(SYSTEM_TIMING.now() - start).toBeGreaterThanOrEqual(19);
});

it('rejects with the reason of the signal, before and during the sleep', async () => {
  const reason = new Error('enough');
  await expect(SYSTEM_TIMING.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const abort = new AbortController();
  const sleeping = SYSTEM_TIMING.sleep(60_000, abort.signal);
  abort.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
