import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Emulator } from './emulator.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const STAGE = 'dev';
const AUTHOR = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
const BROKEN = "export const create = () => () => {\n  throw new Error('This release is broken');\n};\n";

interface Release {
  readonly emulator: Emulator;
  /** Options of the CDK CLI, `-c` before each setting. */
  readonly context: readonly string[];
  /** The smoke test. It rejects if a check fails. */
  readonly smoke: () => Promise<unknown>;
}

/**
 * Plays deploy.yml in a clone of the repository: a commit that passed, a broken one that is deployed and fails the smoke
 * test, and the roll-back. The clone shares the installed packages, so `npm ci` is left out.
 */
export async function playFailedRelease({ emulator, context, smoke }: Release): Promise<string> {
  const clone = join(emulator.folder, 'clone');
  const git = async (...args: readonly string[]) =>
    (await emulator.run('git', ['-C', clone, ...AUTHOR, ...args])).trim();
  await emulator.run('git', ['clone', '--quiet', ROOT, clone]);
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const good = await git('rev-parse', 'HEAD');
  await git('tag', `passed-${STAGE}-20260101T000000Z`);
  await writeFile(join(clone, 'lambda/handlers/list-tags.ts'), BROKEN);
  await git('commit', '--quiet', '--all', '--message', 'Break an endpoint');
  await emulator.run(
    'npx',
    ['cdk', 'deploy', '--all', '--require-approval', 'never', '-c', `stage=${STAGE}`, ...context],
    {
      cwd: clone,
    },
  );
  await git('tag', `deployed-${STAGE}-20260102T000000Z`);
  const failure = await smoke().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (!failure?.includes('list-tags')) throw new Error(`the smoke test of the broken release says: ${failure}`);
  const path = `${await withoutInstallation(emulator)}:${emulator.environment.PATH}`;
  await emulator.run('node', ['tools/roll-back.ts', STAGE, ...context], { cwd: clone, env: { PATH: path } });
  const live = await git('rev-parse', 'HEAD');
  if (live !== good) throw new Error(`the roll-back went to ${live} instead of ${good}`);
  await smoke();
  return `to ${live.slice(0, 7)}`;
}

/** A folder with an npm that installs nothing. */
async function withoutInstallation(emulator: Emulator): Promise<string> {
  const folder = join(emulator.folder, 'npm');
  const npm = (await emulator.run('sh', ['-c', 'command -v npm'])).trim();
  await mkdir(folder);
  await writeFile(join(folder, 'npm'), `#!/bin/sh\n[ "$1" = ci ] || exec '${npm}' "$@"\n`);
  await chmod(join(folder, 'npm'), 0o755);
  return folder;
}
