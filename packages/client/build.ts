/** Makes `dist`: one ES module with its runtime inside, and the types. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const here = import.meta.dirname;
rmSync(`${here}/dist`, { recursive: true, force: true });
await build({
  entryPoints: [`${here}/src/index.ts`],
  outfile: `${here}/dist/index.js`,
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'es2022',
  legalComments: 'none',
});
execFileSync('npx', ['--no-install', 'tsc', '--project', `${here}/tsconfig.build.json`], {
  stdio: 'inherit',
});
