/**
 * docs/design.md draws the layers of the source as arrows: `lib ──▶ lambda/core/contract` means that
 * files of `lib` may import files of `lambda/core/contract`. No file imports anything else, except
 * of its own layer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from '@jest/globals';

const [, section = ''] = readFileSync('docs/design.md', 'utf8').split('\n## Layers\n');
/** The folders that a layer may import, by layer. */
const ARROWS = new Map(
  Array.from(section.matchAll(/^([\w/-]+) +──▶ (.+)$/gm), ([, from = '', to = '']) => [
    from,
    to.split(', '),
  ]),
);
/**
 * All layers, with the two that import no other layer. The longest path comes first, because a layer
 * can lie in another: the simulator lies in `local`.
 */
const LAYERS = [...ARROWS.keys(), 'lambda/core', 'local/simulator'].sort(
  (a, b) => b.length - a.length,
);

/** Packages that a folder may not import. */
const REFUSED_PACKAGES = [
  // Its `createRequire` would hide an import. The linter refuses the name without `node:`.
  { folder: '', packages: /^node:module$/ },
  { folder: 'lambda/core', packages: /^(node:|@)/ },
  { folder: 'lambda/endpoints', packages: /^@aws-sdk\// },
  { folder: 'lambda/http', packages: /^@aws-sdk\// },
  { folder: 'lambda/jobs', packages: /^@aws-sdk\// },
];

const isIn = (file: string, folder: string) =>
  folder === '' || file === folder || file.startsWith(`${folder}/`);
const layerOf = (file: string) => LAYERS.find((layer) => isIn(file, layer)) ?? '';

/** Whether a file may not import a path, as its import statement has it. */
function isRefused(file: string, path: string): boolean {
  if (!path.startsWith('.'))
    return REFUSED_PACKAGES.some(
      ({ folder, packages }) => isIn(file, folder) && packages.test(path),
    );
  const layer = layerOf(file);
  const target = join(dirname(file), path);
  if (target === 'docs/openapi.json') return false;
  // Each handler is a program of its own.
  if (layer === layerOf(target) && layer !== 'lambda/handlers') return false;
  return !ARROWS.get(layer)?.some((folder) => isIn(target, folder));
}

const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"`]([^'"`]+)['"`]/g;

/** The imports in the text of a file that are refused. */
function refusedImports(file: string, text: string): readonly string[] {
  const paths = Array.from(text.matchAll(IMPORT), ([, path = '']) => path);
  return paths.filter((path) => isRefused(file, path));
}

/** All TypeScript sources of a folder. */
function sourcesIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .map((file) => join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !/\/(node_modules|dist)\//.test(file));
}

it('no file imports what docs/design.md does not draw', () => {
  const sources = ['lambda', 'bin', 'lib', 'local', 'packages', 'tools'].flatMap(sourcesIn);
  expect(sources.length).toBeGreaterThan(250);
  for (const file of sources) {
    // It alone runs a program of the stack and loads a module of a fetched program.
    if (file === 'tools/synth.ts') continue;
    const refused = refusedImports(file, readFileSync(file, 'utf8'));
    expect({ file, refused }).toEqual({ file, refused: [] });
  }
});

it.each(LAYERS)('an import of a test is refused in %s, in every form', (layer) => {
  const file = `${layer}/planted.ts`;
  const path = relative(layer, 'test/any.ts');
  const forms = [
    `import { a } from '${path}';`,
    `import '${path}';`,
    `import type { A } from '${path}';`,
    `export { a } from '${path}';`,
    `export * from "${path}";`,
    `const a = import('${path}');`,
    `type A = typeof import('${path}');`,
    `const a = require('${path}');`,
    `import { createRequire } from 'node:module';`,
  ];
  for (const form of forms) expect([form, refusedImports(file, form).length]).toEqual([form, 1]);
});

/** An import of one layer by another. An arrow to a folder also leads to the folders in it. */
interface LayerImport {
  readonly from: string;
  readonly to: string;
  readonly isDrawn: boolean;
}

const LAYER_IMPORTS: LayerImport[] = [];
for (const from of LAYERS) {
  for (const to of LAYERS) {
    if (from === to) continue;
    const isDrawn = (ARROWS.get(from) ?? []).some((folder) => isIn(to, folder));
    LAYER_IMPORTS.push({ from, to, isDrawn });
  }
}

/** Whether a file of one layer may not import a file of the other. */
function isRefusedBetween({ from, to }: LayerImport): boolean {
  const path = relative(from, `${to}/planted.ts`);
  return isRefused(`${from}/a.ts`, `./${path}`);
}

it('an import is refused for each pair of layers without an arrow', () => {
  const forbidden = LAYER_IMPORTS.filter(({ isDrawn }) => !isDrawn);
  expect(forbidden.length).toBeGreaterThan(100);
  expect(forbidden.filter((pair) => !isRefusedBetween(pair))).toEqual([]);
});

it('an import is allowed for each pair of layers with an arrow', () => {
  const drawn = LAYER_IMPORTS.filter(({ isDrawn }) => isDrawn);
  expect(drawn.length).toBeGreaterThan(20);
  expect(drawn.filter(isRefusedBetween)).toEqual([]);
});

// Rules that hold even if somebody draws an arrow, and imports that no pair of layers has.
it.each([
  { file: 'lambda/core/domain/a.ts', path: '../../io/a.ts' },
  { file: 'lambda/core/domain/a.ts', path: 'node:crypto' },
  { file: 'lambda/io/a.ts', path: '../http/a.ts' },
  { file: 'lambda/http/a.ts', path: '@aws-sdk/client-s3' },
  { file: 'lambda/http/a.ts', path: '../endpoints/a.ts' },
  { file: 'lambda/endpoints/a.ts', path: '../jobs/a.ts' },
  { file: 'lambda/jobs/a.ts', path: '../http/a.ts' },
  { file: 'lambda/jobs/a.ts', path: '../endpoints/a.ts' },
  { file: 'lambda/handlers/a.ts', path: './b.ts' },
  { file: 'lib/a.ts', path: '../lambda/core/domain/a.ts' },
  { file: 'local/a.ts', path: '../lambda/jobs/refresh/a.ts' },
])('$file may not import $path', ({ file, path }) => {
  expect(isRefused(file, path)).toBe(true);
});
