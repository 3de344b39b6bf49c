import { afterEach, beforeEach } from '@jest/globals';
import { ManualClock } from './manual-clock.ts';

/** Shorter than the time of a test. */
const LONG_MS = 110_000;
let began = 0;

/** Rejections that no test awaited. Without this listener, Node ends the process, and Jest names no test. */
const rejections: unknown[] = [];
process.on('unhandledRejection', (reason) => rejections.push(reason));

// Before a test replaces it by a fake.
const { setImmediate } = globalThis;

beforeEach(() => {
  began = performance.now();
  ManualClock.newest = undefined;
});

afterEach(() => {
  const { newest } = ManualClock;
  if (performance.now() - began < LONG_MS || !newest || newest.timers === 0) return;
  console.error(
    `The clock of this test was not advanced by the ${newest.waits.join(' ms, ')} ms that a timer waits for.`,
  );
});

afterEach(async () => {
  // Node reports a rejection at the end of the turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const [reason] = rejections.splice(0);
  if (reason !== undefined) throw reason;
});
