import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

// The linter is a program of its own.
jest.setTimeout(60_000);

/** A folder of each layer from which files are planted. */
const SOURCES = {
  'lambda/core': 'lambda/core/domain',
  'lambda/io': 'lambda/io/platform',
  'lambda/app': 'lambda/app/http',
  'lambda/extras': 'lambda/extras/check',
  'lambda/handlers': 'lambda/handlers',
  bin: 'bin',
  lib: 'lib/api',
  local: 'local',
  'local/simulator': 'local/simulator/universe',
  tools: 'tools/bench',
  'packages/client': 'packages/client/src',
  'packages/market-page': 'packages/market-page/src/state',
} as const;

const subfolders = (root: string): string[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${root}/${name}`);

/** The modules that are imported: one of each folder. */
const TARGETS = [
  ...['lambda/core', 'lambda/io', 'lambda/app', 'lambda/extras'].flatMap(subfolders),
  'lambda/handlers',
  'bin',
  'lib',
  'local',
  'local/simulator',
  'tools',
  'test',
  'packages/client/src',
  'packages/market-page/src',
].map((folder) => `${folder}/any.ts`);
TARGETS.push('packages/market-page/build.ts');

/** How a file can name another module. */
const FORMS: readonly ((path: string) => string)[] = [
  (path) => `import { planted } from '${path}';\nexport const value = planted;\n`,
  (path) => `import type { Planted } from '${path}';\nexport type Value = Planted;\n`,
  (path) => `export { planted } from '${path}';\n`,
  (path) => `export const load = () => import('${path}');\n`,
  (path) => `import { planted } from './${path}';\nexport const value = planted;\n`,
  (path) => `export const { planted } = require('${path}');\n`,
  (path) =>
    `import { createRequire } from 'node:module';\nexport const { planted } = createRequire(import.meta.url)('${path}');\n`,
];

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'market-data-proxy-lint-'));
  copyFileSync('biome.json', join(project, 'biome.json'));
});

afterAll(() => rmSync(project, { recursive: true }));

function plant(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

/** The files in which the project's linter finds an error of one of the rules. @param files source texts by path */
function refused(files: ReadonlyMap<string, string>, ...rules: readonly string[]): Set<string> {
  plant(files);
  const only = rules.map((rule) => `--only=${rule}`);
  const options = ['--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github', ...only];
  const biome = join(process.cwd(), 'node_modules/.bin/biome');
  const { stdout } = spawnSync(biome, ['lint', ...options], { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 26 });
  for (const path of files.keys()) rmSync(join(project, path));
  return new Set(Array.from(stdout.matchAll(/file=([^,]+),/g), ([, file = '']) => relative(project, file)));
}

/** What each layer may import by docs/design.md: lines such as `bin ──▶ lib`. */
function arrowsOfDocument(): Map<string, readonly string[]> {
  const [, layers = ''] = readFileSync('docs/design.md', 'utf8').split('\n## Layers\n');
  const lines = layers.matchAll(/^([\w/-]+) +──▶ (.+)$/gm);
  return new Map(Array.from(lines, ([, from = '', to = '']) => [from, to.split(', ')]));
}

function relativeImport(from: string, to: string): string {
  const path = relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}

describe('the linter', () => {
  it('refuses exactly the imports that docs/design.md does not draw', () => {
    const arrows = arrowsOfDocument();
    const isDrawn = (layer: string, target: string) =>
      (target.startsWith(`${layer}/`) && layer !== 'lambda/handlers' && !target.startsWith('local/simulator/')) ||
      (layer === 'local/simulator' && target.startsWith('local/simulator/')) ||
      (arrows.get(layer) ?? []).some((folder) => target === folder || target.startsWith(`${folder}/`));
    const planted = Object.entries(SOURCES).flatMap(([layer, folder]) =>
      TARGETS.map((target) => ({
        file: `${folder}/${target.replaceAll('/', '-')}`,
        text: FORMS[0]?.(relativeImport(folder, target)) ?? '',
        isRefused: !isDrawn(layer, target),
      })),
    );

    const errors = refused(new Map(planted.map(({ file, text }) => [file, text])), 'noRestrictedImports');

    const expected = planted.filter(({ isRefused }) => isRefused).map(({ file }) => file);
    expect([...errors].sort()).toEqual(expected.sort());
  });

  it('refuses them in every form of an import, in every layer', () => {
    const files = Object.values(SOURCES).flatMap((folder) =>
      FORMS.map((text, n) => [`${folder}/form-${n}.ts`, text(relativeImport(folder, 'test/any.ts'))] as const),
    );
    const errors = refused(new Map(files), 'noRestrictedImports', 'noCommonJs');
    expect([...errors].sort()).toEqual(files.map(([path]) => path).sort());
  });

  it('reads every import: only the local server computes a path, and no file names a type by `import(…)`', () => {
    const unseen = /\bimport\((?!\s*'[^']*'\s*\))|\bimport\(\s*'[^']*'\s*\)\s*\.|\btypeof import\(/;
    const planted = ["type T = import('./a.ts').T;", "type M = typeof import('./a.ts');", 'import(name);'];
    expect(planted.filter((text) => !unseen.test(text))).toEqual([]);
    const sources = ['bin', 'lib', 'local', 'lambda', 'packages/client/src', 'packages/market-page/src']
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
      .filter((file) => /\.tsx?$/.test(file));
    expect(sources.length).toBeGreaterThan(150);
    expect(sources.filter((file) => unseen.test(readFileSync(file, 'utf8')))).toEqual(['local/functions.ts']);
  });

  it('fails on a comment that switches a rule off', () => {
    const [, comments = ''] = JSON.parse(readFileSync('package.json', 'utf8')).scripts.lint.split(' && ');
    const statusOf = (text: string) => {
      plant(new Map([['lambda/core/domain/planted.ts', text]]));
      return spawnSync('sh', ['-c', comments], { cwd: project }).status;
    };
    expect(statusOf('export const value = 1;\n')).toBe(0);
    const comment = ['biome', 'ignore'].join('-');
    expect(statusOf(`// ${comment} lint/suspicious/noExplicitAny: planted\nexport const value = 1;\n`)).not.toBe(0);
  });
});
