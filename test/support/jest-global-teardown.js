import { once } from 'node:events';
import { rm } from 'node:fs/promises';

export default async function teardown() {
  const server = globalThis.synthesisServer;
  if (server?.exitCode === null) {
    // Without it nothing keeps this process alive while it waits, and it ends with 0 before jest has told its own status.
    server.ref();
    server.kill();
    await once(server, 'exit');
  }
  if (process.env.TEST_RUN_FOLDER) await rm(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
}
