/** Programs of others that the tools run: their pinned versions, installation and output. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder that pins the version of each program. */
const PINNED = join(import.meta.dirname, 'pinned');

/** A package with its version, as npx takes it. @throws Error without a pinned version */
export function pinned(name: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(PINNED, 'package.json'), 'utf8'));
  const version: unknown = dependencies[name];
  if (typeof version !== 'string')
    throw new Error(`tools/pinned/package.json has no version of ${name}`);
  return `${name}@${version}`;
}

/** A package with its version, as pip takes it. @throws Error without a pinned version */
function pinnedPython(name: string): string {
  const lines = readFileSync(join(PINNED, 'requirements.txt'), 'utf8').split('\n');
  const line = lines.find((each) => each.startsWith(`${name}==`));
  if (line === undefined)
    throw new Error(`tools/pinned/requirements.txt has no version of ${name}`);
  return line;
}

/**
 * Installs PyPI packages below `.venv/`.
 *
 * @returns the folder of their programs, including `python`
 */
export function pythonPrograms(...names: readonly string[]): string {
  const requirements = names.map(pinnedPython);
  const folder = resolve('.venv', requirements.join('+').replaceAll('==', '-'));
  const programs = join(folder, 'bin');
  // The file is missing after an interrupted installation.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return programs;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Installing ${requirements.join(', ')} from PyPI`);
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  const options = ['--quiet', '--disable-pip-version-check'];
  execFileSync(join(programs, 'pip'), ['install', ...options, ...requirements], {
    stdio: 'inherit',
  });
  writeFileSync(complete, '');
  return programs;
}

/** The result of a program. */
export interface Run {
  /** Null after a signal. */
  readonly status: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Runs a program. Does not block this process, which can serve requests meanwhile. */
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
const findChromium = () =>
  [process.env.CHROMIUM, ...CHROMIUM_PATHS].find((path) => path && existsSync(path));

/**
 * Finds Chromium, and installs it if it is missing and this is Debian as root. The variable
 * `CHROMIUM` names another program.
 *
 * @returns its path
 * @throws Error if there is none
 */
export function chromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) {
    throw new Error(
      'Chromium is not installed. Install it, or set CHROMIUM to the path of a browser.',
    );
  }
  console.log('Installing Chromium from Debian');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    execFileSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
  }
  return chromium();
}
