import { existsSync } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Assembly, readAssembly } from '../../../packages/cdk-local/src/template/assembly.ts';
import { synthesize } from '../../../packages/cdk-local/src/template/synthesize.ts';

const LONGEST_SYNTHESIS_MS = 90_000;

/**
 * The default stage, synthesised and bundled once a test run: whichever file needs it first makes it, the others
 * wait for it.
 */
export async function sharedAssembly(): Promise<Assembly> {
  const folder = process.env.TEST_RUN_FOLDER;
  if (!folder) throw new Error('jest-global-setup.js has not run');
  const finished = join(folder, 'assembly');
  if (await isFirst(join(folder, 'lock'))) {
    const made = await synthesize({});
    await cp(made.directory, join(folder, 'copying'), { recursive: true });
    await rename(join(folder, 'copying'), finished);
    await made.dispose();
  }
  for (let waited = 0; !existsSync(finished); waited += 50) {
    if (waited > LONGEST_SYNTHESIS_MS) throw new Error('The synthesis of another test file has not ended');
    await wait(50);
  }
  return readAssembly(finished);
}

async function isFirst(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    return false;
  }
}
