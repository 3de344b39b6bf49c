/** The longest timer of Node.js, 24 days; a longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * An SDK call that ends at the latest after `ms`: it is aborted, and the promise rejects at once, since the pauses
 * that the SDK makes between its attempts do not hear the signal.
 *
 * @throws what the call throws, or a DOMException `TimeoutError`
 */
export async function until<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(Math.min(Math.max(0, Math.floor(ms)), LONGEST_MS));
  let over = () => {};
  const timeout = new Promise<never>((_, reject) => {
    over = () => reject(signal.reason);
    signal.addEventListener('abort', over, { once: true });
  });
  try {
    return await Promise.race([call(signal), timeout]);
  } finally {
    signal.removeEventListener('abort', over);
  }
}
