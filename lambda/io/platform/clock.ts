import type { UnixMs } from '../../core/domain/time.ts';

export interface Clock {
  now(): UnixMs;
  /** @returns a function that cancels the callback */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

const MIN_STEP_MS = 50;
const MAX_STEP_MS = 250;

/**
 * Rejects after `ms` and aborts the signal of the work. A busy period of this process, such as a
 * cold start, counts as one step of 50 to 250 ms.
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
    const wait = (left: number): void => {
      if (left > 0) {
        cancel = clock.after(Math.min(step, left), () => wait(left - step));
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
