/** Time and chance, passed in so that tests need no waiting. */
export interface Timing {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted before. */
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
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', stopped, { once: true });
      function done() {
        signal?.removeEventListener('abort', stopped);
        resolve();
      }
      function stopped() {
        clearTimeout(timer);
        reject(signal?.reason);
      }
    }),
};
