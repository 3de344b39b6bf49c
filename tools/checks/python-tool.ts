import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Tools from PyPI that checks use, each pinned and in a virtual environment of its own. */
const PINNED = {
  'cfn-lint': '1.58.0',
  checkov: '3.3.30',
  ministack: '1.5.33',
  schemathesis: '4.32.5',
} as const;

/**
 * Installs a tool below `.venv/` unless it is there, and returns the path of its program.
 *
 * @throws Error when there is no python3 or PyPI cannot be reached
 */
export function pythonTool(name: keyof typeof PINNED): string {
  const folder = join('.venv', `${name}-${PINNED[name]}`);
  const program = join(folder, 'bin', name);
  if (!existsSync(program)) {
    console.log(`Installing ${name} ${PINNED[name]} from PyPI into ${folder} …`);
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    const pip = join(folder, 'bin', 'pip');
    execFileSync(pip, ['install', '--quiet', '--disable-pip-version-check', `${name}==${PINNED[name]}`], {
      stdio: 'inherit',
    });
  }
  return program;
}
