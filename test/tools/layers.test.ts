import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from '@jest/globals';

/**
 * The arrows of docs/design.md: lines such as `bin ──▶ lib`. A folder also imports itself, except
 * the handlers.
 */
const [, section = ''] = readFileSync('docs/design.md', 'utf8').split('\n## Layers\n');
const ARROWS = new Map(
  Array.from(section.matchAll(/^([\w/-]+) +──▶ (.+)$/gm), ([, from = '', to = '']) => [
    from,
    to.split(', '),
  ]),
);
/** Innermost first: the simulator lies in `local`. */
const LAYERS = [...ARROWS.keys(), 'lambda/core', 'local/simulator'].sort(
  (a, b) => b.length - a.length,
);
/**
 * `createRequire` of node:module would hide an import. The linter refuses its name without `node:`.
 */
const PACKAGES = [
  ['', /^node:module$/],
  ['lambda/core', /^(node:|@)/],
  ['lambda/endpoints', /^@aws-sdk\//],
  ['lambda/http', /^@aws-sdk\//],
  ['lambda/jobs', /^@aws-sdk\//],
] as const;
const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"`]([^'"`]+)['"`]/g;

const isIn = (file: string, folder: string) =>
  folder === '' || file === folder || file.startsWith(`${folder}/`);
const layerOf = (file: string) => LAYERS.find((layer) => isIn(file, layer)) ?? '';

function isRefused(file: string, path: string): boolean {
  if (!path.startsWith('.'))
    return PACKAGES.some(([folder, name]) => isIn(file, folder) && name.test(path));
  const [layer, target] = [layerOf(file), join(dirname(file), path)];
  if (target === 'docs/openapi.json' || (layer === layerOf(target) && layer !== 'lambda/handlers'))
    return false;
  return !ARROWS.get(layer)?.some((folder) => isIn(target, folder));
}

const refused = (file: string, text: string) =>
  Array.from(text.matchAll(IMPORT), ([, path = '']) => path).filter((path) =>
    isRefused(file, path),
  );

it('no file imports what docs/design.md does not draw', () => {
  const folders = ['lambda', 'bin', 'lib', 'local', 'packages', 'tools'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  // The only tool that runs a program of the stack's, and that loads a module of a fetched one.
  const sources = files.filter(
    (file) =>
      /\.tsx?$/.test(file) && !/\/(node_modules|dist)\//.test(file) && file !== 'tools/synth.ts',
  );
  expect(sources.length).toBeGreaterThan(250);
  expect(
    sources.flatMap((file) =>
      refused(file, readFileSync(file, 'utf8')).map((path) => [file, path]),
    ),
  ).toEqual([]);
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
  expect(forms.filter((text) => refused(file, text).length === 0)).toEqual([]);
});

/** Ordered pairs of two layers. An arrow to a folder also leads to the folders in it. */
const PAIRS = LAYERS.flatMap((from) =>
  LAYERS.filter((to) => to !== from).map((to) => ({
    from,
    to,
    isDrawn: (ARROWS.get(from) ?? []).some((folder) => `${to}/`.startsWith(`${folder}/`)),
  })),
);
const refusedImport = ({ from, to }: { readonly from: string; readonly to: string }) =>
  refused(`${from}/a.ts`, `import { a } from './${relative(from, `${to}/planted.ts`)}';`);

it('a planted import is refused for each pair of layers without an arrow', () => {
  const forbidden = PAIRS.filter(({ isDrawn }) => !isDrawn);
  expect(forbidden.length).toBeGreaterThan(100);
  expect(forbidden.filter((pair) => refusedImport(pair).length === 0)).toEqual([]);
});

it('a planted import is allowed for each pair of layers with an arrow', () => {
  const drawn = PAIRS.filter(({ isDrawn }) => isDrawn);
  expect(drawn.length).toBeGreaterThan(20);
  expect(drawn.filter((pair) => refusedImport(pair).length > 0)).toEqual([]);
});

/** Rules that hold even if somebody draws an arrow, and imports that no pair of layers has. */
it.each([
  ['lambda/core/domain/a.ts', '../../io/a.ts'],
  ['lambda/core/domain/a.ts', 'node:crypto'],
  ['lambda/io/a.ts', '../http/a.ts'],
  ['lambda/http/a.ts', '@aws-sdk/client-s3'],
  ['lambda/http/a.ts', '../endpoints/a.ts'],
  ['lambda/endpoints/a.ts', '../jobs/a.ts'],
  ['lambda/jobs/a.ts', '../http/a.ts'],
  ['lambda/jobs/a.ts', '../endpoints/a.ts'],
  ['lambda/handlers/a.ts', './b.ts'],
  ['lib/a.ts', '../lambda/core/domain/a.ts'],
  ['local/a.ts', '../lambda/jobs/refresh/a.ts'],
])('%s may not import %s', (file, path) => {
  expect(isRefused(file, path)).toBe(true);
});
