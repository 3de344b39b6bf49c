import { spawn } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SYNTHESIS_SERVER = fileURLToPath(new URL('synthesis-server.ts', import.meta.url));

/** A folder for what the test files of one run share (test/service/support/shared-assembly.ts), and templates. */
export default async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'market-data-proxy-tests-'));
  process.env.TEST_RUN_FOLDER = folder;
  process.env.TEST_SYNTHESIS_FOLDER = join(folder, 'templates');
  await mkdir(process.env.TEST_SYNTHESIS_FOLDER);
  const server = spawn(process.execPath, [SYNTHESIS_SERVER, process.env.TEST_SYNTHESIS_FOLDER], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  server.unref();
  globalThis.synthesisServer = server;
}
