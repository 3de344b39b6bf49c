import { execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Packages from PyPI, each in a virtual environment of its own below `.venv/`. */
const PYPI = {
  ministack: '1.5.33',
  'openapi-python-client': '0.29.1',
  'py-clob-client': '0.34.6',
  schemathesis: '4.32.5',
} as const;

/** Installs a package unless it is installed. @returns the folder of its programs, `python` among them */
export function pythonPrograms(name: keyof typeof PYPI): string {
  const folder = resolve('.venv', `${name}-${PYPI[name]}`);
  const programs = join(folder, 'bin');
  // An interrupted installation has no such file.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return programs;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Installing ${name} ${PYPI[name]} from PyPI`);
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  const options = ['--quiet', '--disable-pip-version-check'];
  execFileSync(join(programs, 'pip'), ['install', ...options, `${name}==${PYPI[name]}`], {
    stdio: 'inherit',
  });
  writeFileSync(complete, '');
  return programs;
}

export interface Run {
  /** Exit status; null after a signal. */
  readonly status: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Runs a program without blocking this process, which can serve requests meanwhile. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', fail);
    child.on('close', (status) => done({ status, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const findChromium = () => [process.env.CHROMIUM, ...CHROMIUM_PATHS].find((path) => path && existsSync(path));

/** The path of Chromium; installs it on Debian as root. `CHROMIUM` names another program. @throws Error without one */
export function chromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) {
    throw new Error('Chromium is not installed. Install it, or set CHROMIUM to the path of a browser.');
  }
  console.log('Installing Chromium from Debian');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    execFileSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
  }
  return chromium();
}
