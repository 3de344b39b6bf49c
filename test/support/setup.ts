import { afterEach } from '@jest/globals';

/**
 * Rejections that no test awaited. Without this listener, Node ends the process, and Jest names no
 * test.
 */
const rejections: unknown[] = [];
process.on('unhandledRejection', (reason) => rejections.push(reason));

// The real function: tests can replace the global one by a fake.
const { setImmediate } = globalThis;

afterEach(async () => {
  // Node reports a rejection at the end of the turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const [reason] = rejections.splice(0);
  if (reason !== undefined) throw reason;
});
