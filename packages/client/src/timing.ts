/** Time for the client: its clock, timers and random numbers, and work in a limited time. */

/** The longest pause of the client between two attempts. */
export const MAX_WAIT_MS = 120_000;

/** The longest timer of the platform, 24.8 days. Longer ones would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Time and randomness, which tests replace. */
export interface Timing {
  /** Unix ms. */
  readonly now: () => number;
  /** Waits for `ms`. Rejects with the signal's reason if it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back after `ms`. @returns a function that cancels the callback */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** A random number from 0 up to, not including, 1. */
  readonly random: () => number;
}

/** The platform's clock, timers and random numbers. */
export const SYSTEM_TIMING: Timing = {
  now: Date.now,
  random: Math.random,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        Math.min(ms, MAX_TIMER_MS),
      );
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/**
 * Does work in a limited time, and returns its result. Rejects with a `TimeoutError` after `ms` or
 * with the signal's reason, and aborts the work. It does not wait for the work to end, because in
 * Node.js 20 a request's signal does not always end `fetch`.
 */
export async function withTimeout<T>(
  timing: Timing,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const abort = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason));
  });
  const forward = () => abort.abort(signal?.reason);
  signal?.addEventListener('abort', forward);
  const cancel = timing.after(Math.min(ms, MAX_TIMER_MS), () =>
    abort.abort(new DOMException(`No response within ${ms} milliseconds`, 'TimeoutError')),
  );
  try {
    return await Promise.race([work(abort.signal), aborted]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', forward);
  }
}
