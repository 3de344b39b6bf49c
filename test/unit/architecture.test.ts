import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { APP_INPUTS } from '../../local/assembly.ts';
import { circlesIn, importGraph, sourcesIn } from '../support/import-graph.ts';

const SOURCE_FOLDERS = ['bin', 'lib', 'lambda', 'local', 'packages', 'tools'];
const graph = importGraph([...SOURCE_FOLDERS, 'test']);

/**
 * The rooms that the files of a room may import, itself and Node.js aside. `ports` are the files `ports.ts` of a room:
 * an adapter knows what is asked of it, and nothing else of who asks.
 */
const LAMBDA_ROOMS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  domain: ['contract'],
  platform: ['contract'],
  'http-client': ['contract', 'platform'],
  polymarket: ['contract', 'domain', 'http-client', 'platform', 'endpoints/ports.ts', 'refresh/ports.ts'],
  'rate-limit': ['platform'],
  // The terms of a base are made and stored with it (ADR 28).
  snapshots: [
    'contract',
    'domain',
    'platform',
    'refresh/ports.ts',
    'search/make-term-table.ts',
    'search/term-table.ts',
  ],
  'price-memory': [
    'domain',
    'platform',
    'refresh/ports.ts',
    'snapshots/bytes.ts',
    'snapshots/dynamodb-items.ts',
    'snapshots/snapshot-reader.ts',
  ],
  search: ['contract'],
  query: ['contract', 'domain', 'search'],
  http: ['contract', 'domain', 'platform', 'rate-limit'],
  refresh: ['contract', 'domain', 'platform'],
  mcp: ['contract', 'domain', 'http'],
  doctor: ['contract', 'domain', 'http-client', 'platform', 'polymarket'],
  watch: ['contract', 'http-client', 'platform'],
  drift: ['contract', 'domain', 'http-client', 'platform', 'polymarket', 'snapshots/dynamodb-items.ts'],
  endpoints: ['contract', 'domain', 'http', 'mcp', 'platform', 'query', 'search', 'snapshots'],
};

/** Top-level rooms; `handlers` and `lambda` as a whole are the composition roots' business. */
const TOP_ROOMS: Readonly<Record<string, RegExp>> = {
  bin: /^lib\//,
  lib: /^lib\/|^lambda\/(contract|rate-limit\/dynamodb-items|snapshots\/(dynamodb-items|latest-pointer))|^packages\/market-page\/(build|site)\.ts$/,
  lambda: /^lambda\//,
  local: /^local\/|^lambda\/(contract|endpoints)\//,
  tools: /^(tools|lib|lambda|local|test)\//,
};

const PACKAGES = readdirSync('packages');
const manifestOf = (folder: string) => JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8'));
const WORKSPACE_NAMES: readonly string[] = PACKAGES.map((folder) => manifestOf(folder).name);
/** What a package may import beside its own files: another package by its name. */
const PACKAGE_NAMES: Readonly<Record<string, readonly string[]>> = {
  'market-page': ['market-data-proxy-client'],
};

const isFile = (imported: string): boolean => /^[\w-]+\/.*\.(tsx?|json|css)$/.test(imported);

/** `file -> imported` for each import of the folder's files that is not allowed. */
function refused(folder: string, allowed: (imported: string) => boolean): string[] {
  return [...graph]
    .filter(([file]) => file.startsWith(`${folder}/`))
    .flatMap(([file, imports]) => imports.map((imported) => ({ file, imported })))
    .filter(({ imported }) => !allowed(imported))
    .map(({ file, imported }) => `${file} -> ${imported}`);
}

it('no import goes round in a circle', () => {
  expect(circlesIn(graph)).toEqual([]);
});

/** A room is a folder of a source folder; a file beside the rooms stands for itself. */
function roomOf(file: string): string {
  const [folder = '', room = '', ...rest] = file.split('/');
  return rest.length > 0 ? `${folder}/${room}` : file;
}

it('no room imports, by whatever way, a room that imports it, ports included', () => {
  const rooms = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    if (file.startsWith('test/')) continue;
    const others = imports.filter((imported) => graph.has(imported) && roomOf(imported) !== roomOf(file));
    rooms.set(roomOf(file), new Set([...(rooms.get(roomOf(file)) ?? []), ...others.map(roomOf)]));
  }
  expect(circlesIn(new Map([...rooms].map(([room, others]) => [room, [...others]])))).toEqual([]);
});

describe('rooms of lambda', () => {
  it.each(Object.entries(LAMBDA_ROOMS))('%s imports %j only', (room, rooms) => {
    const prefixes = [room, ...rooms].map((name) =>
      name.endsWith('.ts') ? `lambda/${name}` : `lambda/${name}/`,
    );
    const allowed = (imported: string): boolean =>
      !imported.startsWith('lambda/') || prefixes.some((prefix) => imported.startsWith(prefix));
    expect(refused(`lambda/${room}`, allowed)).toEqual([]);
  });

  it('are all in the table, but for the composition roots', () => {
    const rooms = new Set(sourcesIn('lambda').map((file) => file.split('/')[1]));
    rooms.delete('handlers');
    expect([...rooms].filter((room) => !Object.hasOwn(LAMBDA_ROOMS, room ?? ''))).toEqual([]);
  });

  it.each(['domain', 'search', 'query'])(
    '%s is pure: no Node.js, no AWS, nothing of the registry',
    (room) => {
      expect(refused(`lambda/${room}`, isFile)).toEqual([]);
    },
  );
});

/** A reader of one room who meets the name in another takes it for the same thing. */
it('no two files of lambda export a type of the same name', () => {
  const filesByName = new Map<string, string[]>();
  for (const file of sourcesIn('lambda')) {
    const names = readFileSync(file, 'utf8').matchAll(
      /^export (?:abstract )?(?:class|interface|type) (\w+)/gm,
    );
    for (const [, name = ''] of names) filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
  }
  expect([...filesByName].filter(([, files]) => files.length > 1)).toEqual([]);
});

describe('top-level rooms', () => {
  it.each(Object.entries(TOP_ROOMS))('%s imports files of %s only', (room, allowed) => {
    expect(refused(room, (imported) => !isFile(imported) || allowed.test(imported))).toEqual([]);
  });

  it('what runs in AWS knows nothing of how it is deployed', () => {
    expect(refused('lambda', (imported) => !/^(aws-cdk-lib|constructs)\b/.test(imported))).toEqual([]);
  });
});

describe('packages', () => {
  it.each(PACKAGES)('%s imports nothing of the product or of another package', (name) => {
    const allowed = (imported: string): boolean =>
      isFile(imported)
        ? imported.startsWith(`packages/${name}/`)
        : !WORKSPACE_NAMES.includes(imported) || (PACKAGE_NAMES[name] ?? []).includes(imported);
    expect(refused(`packages/${name}`, allowed)).toEqual([]);
  });
});

describe('the source that decides what is synthesised', () => {
  it('is all in the key under which an assembly is kept', () => {
    const reached = new Set<string>();
    const follow = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const imported of graph.get(file) ?? []) if (graph.has(imported)) follow(imported);
    };
    for (const file of ['bin/market-data-proxy.ts', ...sourcesIn('lambda/handlers')]) follow(file);
    const kept = (file: string) => APP_INPUTS.some((input) => file === input || file.startsWith(`${input}/`));
    expect([...reached].filter((file) => !kept(file))).toEqual([]);
  });
});

describe('unit tests', () => {
  /** `a/b.test.ts` and `a/b.aspect.test.ts` are about `a/b.ts`, and so are those that take long, `….long.test.ts`. */
  const sourceOf = (path: string): string => path.replace(/(\.[\w-]+)?(\.long)?\.test\.ts$/, '.ts');
  const tests = (folder: string) => sourcesIn(folder).filter((file) => file.endsWith('.test.ts'));

  it('lie where the source of their name lies', () => {
    const ownConcern = ['test/unit/architecture.test.ts', 'test/unit/vocabulary.test.ts'];
    const lost = tests('test/unit')
      .filter((file) => !ownConcern.includes(file))
      .filter((file) => !existsSync(sourceOf(file.slice('test/unit/'.length))));
    expect(lost).toEqual([]);
  });

  it.each(PACKAGES)('of %s do so too', (name) => {
    const folder = `packages/${name}/test`;
    const lost = tests(folder).filter(
      (file) => !existsSync(sourceOf(`packages/${name}/src/${file.slice(folder.length + 1)}`)),
    );
    expect(lost).toEqual([]);
  });
});
