import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Assembly } from 'cdk-local';
import { projectAssembly } from '../../../local/assembly.ts';

const LONGEST_SYNTHESIS_MS = 90_000;

/** The default stage, synthesised and bundled: whichever file of a run needs it first makes it, the others wait. */
export async function sharedAssembly(): Promise<Assembly> {
  const folder = process.env.TEST_RUN_FOLDER;
  if (!folder) throw new Error('jest-global-setup.js has not run');
  const finished = join(folder, 'synthesised');
  if (await isFirst(join(folder, 'lock'))) {
    await projectAssembly({});
    await writeFile(finished, '');
  }
  for (let waited = 0; !existsSync(finished); waited += 50) {
    if (waited > LONGEST_SYNTHESIS_MS) throw new Error('The synthesis of another test file has not ended');
    await wait(50);
  }
  return projectAssembly({});
}

async function isFirst(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    return false;
  }
}
