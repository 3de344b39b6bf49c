/** Time as the code gets it: a clock, and waiting with or without a limit. */
import type { UnixMs } from '../../core/domain/time.ts';

/** A clock with timers. All code gets one passed in, so that tests control the time. */
export interface Clock {
  now(): UnixMs;
  /** Calls back once after `ms`. @returns a function that cancels the callback */
  after(ms: number, callback: () => void): () => void;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits for `ms`. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** The error of `withTimeout` for work that did not end in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Returns the result of the work. Rejects after `ms` and aborts the signal of the work.
 *
 * @param ms may be infinite; at 0 or less the signal starts aborted
 * @throws TimeoutError, or what the work throws
 */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const expired = Promise.withResolvers<never>();
  const cancel = countDown(clock, ms, () => {
    const error = new TimeoutError(`No response within ${ms} ms`);
    abort.abort(error);
    expired.reject(error);
  });
  try {
    return await Promise.race([work(abort.signal), expired.promise]);
  } finally {
    cancel();
  }
}

/** A step of a count-down is a tenth of its time, within these bounds. */
const MIN_STEP_MS = 50;
const MAX_STEP_MS = 250;

/**
 * Calls back after `ms`, which it counts in steps: one second is ten timers, one after the other. If
 * this process is busy, for example while it parses a snapshot, its timers are late. However late,
 * a timer counts as one step, so that a result that arrived meanwhile is read before time runs out.
 *
 * @returns a function that cancels the callback
 */
function countDown(clock: Clock, ms: number, expire: () => void): () => void {
  const stepMs = Math.min(MAX_STEP_MS, Math.max(MIN_STEP_MS, ms / 10));
  let leftMs = ms;
  let cancelTimer: () => void = () => undefined;
  const nextStep = (): void => {
    if (leftMs <= 0) expire();
    else cancelTimer = clock.after(Math.min(stepMs, leftMs), nextStep);
    leftMs -= stepMs;
  };
  nextStep();
  return () => cancelTimer();
}
