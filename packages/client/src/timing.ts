/** Time and randomness, so that tests need not wait. */
export interface Timing {
  /** Unix ms. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when the signal is aborted earlier. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
}

export const SYSTEM_TIMING: Timing = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', abort, { once: true });
      function end() {
        signal?.removeEventListener('abort', abort);
        resolve();
      }
      function abort() {
        clearTimeout(timer);
        reject(signal?.reason);
      }
    }),
};
