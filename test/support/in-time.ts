/** Longer than a busy machine needs for a local call. */
const MAX_WAIT_MS = 30_000;

/**
 * The result of a promise that another part of the program resolves. For example,
 * `await inTime(server.started, () => 'The server did not start')`.
 *
 * @throws Error with the sentence, after 30 s of real time
 */
export async function inTime<T>(promise: Promise<T>, sentence: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(sentence())), MAX_WAIT_MS);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
