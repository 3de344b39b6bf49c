/** Less than the time of a test, more than a busy machine needs for a local call. */
const PATIENCE_MS = 30_000;

/**
 * Waits for something that another part of the program does.
 *
 * @throws Error with the sentence, after 30 s of real time
 */
export async function inTime<T>(promise: Promise<T>, sentence: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(sentence())), PATIENCE_MS);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
