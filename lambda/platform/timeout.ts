import type { Clock } from './clock.ts';

/** The time is taken in pieces of this length. */
const PIECE_MS = 50;

/**
 * The result of `work`, or a rejection when it is not there after `ms`. The work is told by the signal, and is not
 * waited for: what hangs may not hear it.
 *
 * Time in which this container was busy with itself (a cold start that decodes a snapshot, say) is not held against
 * who was asked: the answer may have come and not been looked at. So the time is taken in pieces, and what comes
 * late by any measure ends one piece only.
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let cancel: (() => void) | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    const wait = (left: number): void => {
      if (left > 0) {
        cancel = clock.after(Math.min(PIECE_MS, left), () => wait(left - PIECE_MS));
        return;
      }
      abort.abort();
      reject(new Error(`No answer within ${ms} ms`));
    };
    wait(ms);
  });
  try {
    return await Promise.race([work(abort.signal), expired]);
  } finally {
    cancel?.();
  }
}
