/**
 * `node test/checklists/main.ts` follows three checklists of CONTRIBUTING.md in a copy of the tree and then checks types,
 * API document, list, changes, client and stack there. A step that the checklists lack fails here.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ADDED, apply, CHECKLISTS, unnamedSteps } from './steps.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The tests that hold a list of fields, parameters, endpoints or functions, or that derive one. */
const TESTS =
  'test/lib/(market|service|api)|core/query|core/contract|handlers/|openapi/document|app/(mcp|documents)|test/client';

function run(command: string, args: readonly string[], cwd: string): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

function mustPass(what: string, args: readonly string[], cwd: string): void {
  const started = performance.now();
  const { ok, output } = run('npm', ['exec', '--no', '--', ...args], cwd);
  if (!ok) throw new Error(`${what} failed after the checklists:\n${output}`);
  console.log(`${what}: passed in ${Math.round((performance.now() - started) / 1_000)} s`);
}

/** Copies the files that git knows, and links the installed packages, except the workspaces, which are copied files. */
function copyTree(copy: string): void {
  const { output } = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], ROOT);
  for (const file of output.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  const modules = join(copy, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const [name, folder] of [
    ['market-data-proxy-client', 'client'],
    ['market-page', 'market-page'],
  ] as const) {
    rmSync(join(modules, name), { force: true });
    symlinkSync(join(copy, 'packages', folder), join(modules, name));
  }
}

/** What the compiler reports. */
function compile(copy: string): string {
  return run('npm', ['exec', '--no', '--', 'tsc', '--noEmit'], copy).output;
}

function followChecklists(copy: string): void {
  const contributing = readFileSync(join(copy, 'CONTRIBUTING.md'), 'utf8');
  for (const [title, steps] of Object.entries(CHECKLISTS)) {
    const unnamed = unnamedSteps(contributing, title);
    if (unnamed.length > 0) throw new Error(`"${title}" in CONTRIBUTING.md does not name ${unnamed.join(', ')}`);
    for (const step of steps) {
      if (step.compiled && !compile(copy).includes(step.file))
        throw new Error(`${step.file} compiles without its step`);
      apply(step, copy);
    }
  }
}

function checkCopy(copy: string): void {
  mustPass('types', ['tsc', '--noEmit'], copy);
  mustPass('types of the client', ['tsc', '--noEmit', '--project', 'packages/client'], copy);
  mustPass('types of the page', ['tsc', '--noEmit', '--project', 'packages/market-page'], copy);
  mustPass('API document', ['node', 'tools/openapi/main.ts'], copy);
  const document = readFileSync(join(copy, 'docs/openapi.json'), 'utf8');
  for (const name of Object.values(ADDED)) {
    if (!document.includes(`"${name}"`)) throw new Error(`The API document does not have ${name}`);
  }
  mustPass('list, changes and client', ['node', 'test/checklists/behaviour.ts'], copy);
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testPathPatterns', TESTS];
  mustPass('stack and contract', ['node', ...jest], copy);
}

const copy = mkdtempSync(join(tmpdir(), 'market-data-proxy-checklists-'));
try {
  copyTree(copy);
  followChecklists(copy);
  checkCopy(copy);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
