import { expect, it } from '@jest/globals';
import { withTimeout } from '../../../../lambda/io/platform/clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

it.each([
  ['arrives', async () => 'result'],
  ['fails', async () => await Promise.reject(new Error('failed'))],
])('withTimeout leaves no timer when the result %s', async (_, work) => {
  const clock = new ManualClock();
  await withTimeout(clock, 10_000, work).catch(() => undefined);
  expect(clock.timers).toBe(0);
});
