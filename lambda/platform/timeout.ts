import type { Clock } from './clock.ts';

/** The time is taken in pieces: a tenth of it, but within these bounds. */
const SHORTEST_PIECE_MS = 50;
const LONGEST_PIECE_MS = 1_000;

/** The work did not end in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * The result of `work`, or a rejection when it is not there after `ms`. The work is told by the signal, and is not
 * waited for: what hangs may not hear it, and a pause between two attempts does not.
 *
 * Time in which this container was busy with itself (a cold start that decodes a snapshot, say) is not held against
 * the work: its result may have come and not been looked at. So the time is taken in pieces, and what comes late by
 * any measure ends one piece only.
 *
 * @param ms may be infinite; nothing is left of a negative one
 * @throws TimeoutError, or what the work throws
 */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const piece = Math.min(LONGEST_PIECE_MS, Math.max(SHORTEST_PIECE_MS, ms / 10));
  const abort = new AbortController();
  let cancel: (() => void) | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    const wait = (left: number): void => {
      if (left > 0) {
        cancel = clock.after(Math.min(piece, left), () => wait(left - piece));
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
