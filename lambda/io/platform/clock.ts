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

/** Thrown if the work did not end in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The bounds of the steps in which `withTimeout` counts. A step is a tenth of its time. */
const MIN_STEP_MS = 50;
const MAX_STEP_MS = 250;

/**
 * Returns the result of the work. Rejects after `ms` and aborts the signal of the work. A busy
 * period of this process, such as a cold start that parses a snapshot, counts as one step, because
 * the result may have arrived meanwhile.
 *
 * @param ms may be infinite; at 0 or less the signal starts aborted
 * @throws TimeoutError, or what the work throws
 */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const step = Math.min(MAX_STEP_MS, Math.max(MIN_STEP_MS, ms / 10));
  const abort = new AbortController();
  let cancel: (() => void) | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    const wait = (leftMs: number): void => {
      if (leftMs > 0) {
        cancel = clock.after(Math.min(step, leftMs), () => wait(leftMs - step));
        return;
      }
      const error = new TimeoutError(`No response within ${ms} ms`);
      abort.abort(error);
      reject(error);
    };
    wait(ms);
  });
  try {
    return await Promise.race([work(abort.signal), expired]);
  } finally {
    cancel?.();
  }
}
