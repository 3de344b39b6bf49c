import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Packages from PyPI that checks use, each pinned and in a virtual environment of its own. */
const PINNED = {
  awscli: '1.45.11',
  'cfn-lint': '1.58.0',
  checkov: '3.3.30',
  ministack: '1.5.33',
  'openapi-python-client': '0.29.1',
  'py-clob-client': '0.34.6',
  schemathesis: '4.32.5',
} as const;

export type PythonPackage = keyof typeof PINNED;

/**
 * Installs a tool below `.venv/` unless it is there, and resolves to the path of its program. This process goes on
 * meanwhile: it may be an upstream or wait for a response, and an install can take a minute.
 *
 * @throws Error when there is no python3 or PyPI cannot be reached
 */
export async function pythonTool(name: PythonPackage): Promise<string> {
  return join(await environmentOf(name), 'bin', name);
}

/** The same for a package that is a library: the path of a Python that can import it. */
export async function pythonWith(name: PythonPackage): Promise<string> {
  return join(await environmentOf(name), 'bin', 'python');
}

const environments = new Map<PythonPackage, Promise<string>>();

function environmentOf(name: PythonPackage): Promise<string> {
  const environment = environments.get(name) ?? installed(name);
  environments.set(name, environment);
  return environment;
}

async function installed(name: PythonPackage): Promise<string> {
  const folder = resolve('.venv', `${name}-${PINNED[name]}`);
  // Half an environment, left by a run that was ended, would be taken for a whole one.
  const whole = join(folder, 'installed');
  if (existsSync(whole)) return folder;
  await rm(folder, { recursive: true, force: true });
  console.log(`Installing ${name} ${PINNED[name]} from PyPI into ${folder} …`);
  await run('python3', ['-m', 'venv', folder]);
  const options = ['--quiet', '--disable-pip-version-check'];
  await run(join(folder, 'bin', 'pip'), ['install', ...options, `${name}==${PINNED[name]}`]);
  await writeFile(whole, '');
  return folder;
}

/** With its output on this terminal. @throws Error unless it exits with 0 */
async function run(program: string, args: readonly string[]): Promise<void> {
  const [status] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit');
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
}
