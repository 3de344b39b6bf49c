import { expect, it } from '@jest/globals';
import { withTimeout } from '../../../../lambda/io/platform/clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

// `withTimeout` waits for work, but at most for a time, which it counts with timers of a clock.
it.each([
  { end: 'succeeds', work: async () => 'result' },
  { end: 'fails', work: () => Promise.reject(new Error('failed')) },
])('withTimeout leaves no timer when its work $end', async ({ work }) => {
  const clock = new ManualClock();
  await withTimeout(clock, 10_000, work).catch(() => undefined);
  expect(clock.timers).toBe(0);
});
