/** Makes the folder that is served at `/`, `/docs` and `/assets`: `npm run build` in this package, or `buildPage`. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const SOURCE = join(import.meta.dirname, 'src');
const SWAGGER_UI = join(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'), '..');

/** @param folder empty or absent */
export function buildPage(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  buildSync({
    entryPoints: {
      page: join(SOURCE, 'main.tsx'),
      docs: join(SOURCE, 'docs.ts'),
      'page-style': join(SOURCE, 'page.css'),
    },
    outdir: join(folder, 'assets'),
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The client as it stands in this repository, without a build of its own.
    conditions: ['source'],
    legalComments: 'none',
    logLevel: 'warning',
  });
  const copies: readonly (readonly [string, string])[] = [
    [join(SOURCE, 'index.html'), 'index.html'],
    [join(SOURCE, 'docs.html'), 'docs/index.html'],
    [join(SOURCE, 'docs.css'), 'assets/docs.css'],
    [join(SOURCE, 'icon.svg'), 'assets/icon.svg'],
    [join(SWAGGER_UI, 'swagger-ui-bundle.js'), 'assets/swagger-ui-bundle.js'],
    [join(SWAGGER_UI, 'swagger-ui.css'), 'assets/swagger-ui.css'],
  ];
  mkdirSync(join(folder, 'docs'));
  for (const [from, to] of copies) copyFileSync(from, join(folder, to));
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, 'dist');
  rmSync(folder, { recursive: true, force: true });
  buildPage(folder);
}
