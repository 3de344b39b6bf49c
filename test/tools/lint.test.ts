import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** The folders whose imports the linter guards. */
const GUARDED = [
  'bin',
  'lib',
  'local',
  ...['lambda', 'local'].flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name)),
  ),
];
const TARGETS = [...GUARDED, 'packages/market-page', 'tools'];

/** How a file can name another module. */
const IMPORTS: readonly ((path: string) => string)[] = [
  (path) => `import { planted } from '${path}';\nexport const value = planted;\n`,
  (path) => `import type { Planted } from '${path}';\nexport type Value = Planted;\n`,
  (path) => `export { planted } from '${path}';\n`,
  (path) => `export const load = () => import('${path}');\n`,
  (path) => `import { planted } from './${path}';\nexport const value = planted;\n`,
];

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'market-data-proxy-lint-'));
  copyFileSync('biome.json', join(project, 'biome.json'));
});

afterAll(() => rmSync(project, { recursive: true }));

/** The files in which the project's linter finds an error of a rule. @param files source texts by path */
function refused(rule: string, files: ReadonlyMap<string, string>): Set<string> {
  for (const [path, text] of files) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const options = ['--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github', `--only=${rule}`];
  const biome = join(process.cwd(), 'node_modules/.bin/biome');
  const { stdout } = spawnSync(biome, ['lint', ...options], { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 26 });
  for (const path of files.keys()) rmSync(join(project, path));
  return new Set(Array.from(stdout.matchAll(/file=([^,]+),/g), ([, file = '']) => relative(project, file)));
}

/** A subfolder of the contract counts as the contract. */
function arrow(from: string, to: string): string {
  return [from, to].map((folder) => folder.replace(/^(lambda\/contract)\/.*/, '$1')).join(' ──▶ ');
}

/** The arrows of docs/design.md, where `http` stands for `lambda/app/http`. */
function arrowsOfDocument(): Set<string> {
  const [, layers = ''] = readFileSync('docs/design.md', 'utf8').split('\n## Layers\n');
  const lines = layers.matchAll(/^(\S+) +──▶ (.+)$/gm);
  const arrows = Array.from(lines, ([, from = '', to = '']) =>
    to.split(', ').map((name) => arrow(from, GUARDED.includes(`lambda/${name}`) ? `lambda/${name}` : name)),
  );
  return new Set(arrows.flat());
}

describe('the linter', () => {
  it('refuses exactly the imports between folders that have no arrow in docs/design.md', () => {
    const pairs = GUARDED.flatMap((from) =>
      TARGETS.filter((to) => arrow(from, from) !== arrow(from, to)).map((to) => ({ from, to })),
    );
    const nameOf = (from: string, to: string) => `${from}/${to.replaceAll('/', '-')}.ts`;
    const files = pairs.map(({ from, to }) => {
      const path = relative(from, `${to}/${to === 'packages/market-page' ? 'build' : 'any'}.ts`);
      return [nameOf(from, to), IMPORTS[0]?.(path.startsWith('.') ? path : `./${path}`) ?? ''] as const;
    });

    const errors = refused('noRestrictedImports', new Map(files));

    const allowed = pairs.filter(({ from, to }) => !errors.has(nameOf(from, to)));
    expect(new Set(allowed.map(({ from, to }) => arrow(from, to)))).toEqual(arrowsOfDocument());
  });

  it('refuses them in every form of an import, in every folder', () => {
    const files = GUARDED.flatMap((from) =>
      IMPORTS.map((text, n) => [`${from}/form-${n}.ts`, text(relative(from, 'tools/any.ts'))] as const),
    );
    expect([...refused('noRestrictedImports', new Map(files))].sort()).toEqual(files.map(([path]) => path).sort());
  });

  it('sees every import: no file names a type by `import(…)` or computes a path, which the linter does not read', () => {
    const unseen = /\bimport\((?!\s*'[^']*'\s*\))|\bimport\(\s*'[^']*'\s*\)\s*\.|\btypeof import\(/;
    const planted = ["type T = import('./a.ts').T;", "type M = typeof import('./a.ts');", 'import(name);'];
    expect(planted.filter((text) => !unseen.test(text))).toEqual([]);
    const files = GUARDED.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
    const sources = files.filter((file) => file.endsWith('.ts'));
    expect(sources.length).toBeGreaterThan(150);
    expect(sources.filter((file) => unseen.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('refuses import cycles, also of types', () => {
    const cycle = [
      ['lambda/core/domain/chicken.ts', "import type { Egg } from './egg.ts';\nexport type Chicken = Egg;\n"],
      ['lambda/core/domain/egg.ts', "import type { Chicken } from './chicken.ts';\nexport type Egg = Chicken;\n"],
    ] as const;
    expect([...refused('noImportCycles', new Map(cycle))].sort()).toEqual(cycle.map(([path]) => path));
  });
});
