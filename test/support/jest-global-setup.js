import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for what the test files of one run share; see test/service/support/shared-assembly.ts. */
export default async function setup() {
  process.env.TEST_RUN_FOLDER = await mkdtemp(join(tmpdir(), 'market-data-proxy-tests-'));
}
