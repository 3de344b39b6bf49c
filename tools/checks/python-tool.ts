import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
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
 * Installs a tool below `.venv/` unless it is there, and returns the path of its program.
 *
 * @throws Error when there is no python3 or PyPI cannot be reached
 */
export function pythonTool(name: PythonPackage): string {
  return join(environmentOf(name), 'bin', name);
}

/** The same for a package that is a library: the path of a Python that can import it. */
export function pythonWith(name: PythonPackage): string {
  return join(environmentOf(name), 'bin', 'python');
}

function environmentOf(name: PythonPackage): string {
  const folder = resolve('.venv', `${name}-${PINNED[name]}`);
  // Half an environment, left by a run that was ended, would be taken for a whole one.
  const whole = join(folder, 'installed');
  if (existsSync(whole)) return folder;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Installing ${name} ${PINNED[name]} from PyPI into ${folder} …`);
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  const pip = join(folder, 'bin', 'pip');
  const options = ['--quiet', '--disable-pip-version-check'];
  execFileSync(pip, ['install', ...options, `${name}==${PINNED[name]}`], { stdio: 'inherit' });
  writeFileSync(whole, '');
  return folder;
}
