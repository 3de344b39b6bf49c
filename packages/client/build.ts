/** Makes `dist`: an ES module, a CommonJS module, and declarations without dependencies. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { apiDeclarations } from './declarations.ts';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const sources = join(dist, 'src');
const api = join(sources, 'api.ts');
const commonJs = join(dist, 'cjs');
rmSync(dist, { recursive: true, force: true });
cpSync(join(here, 'src'), sources, { recursive: true });
writeFileSync(api, apiDeclarations(sources));
for (const [format, folder] of [
  ['esm', dist],
  ['cjs', commonJs],
] as const) {
  await build({
    entryPoints: [join(sources, 'index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format,
    minify: true,
    target: 'es2022',
    legalComments: 'none',
  });
}
writeFileSync(join(commonJs, 'package.json'), JSON.stringify({ type: 'commonjs' }));

execFileSync('npx', ['--no-install', 'tsc', '--project', 'tsconfig.build.json'], { cwd: here, stdio: 'inherit' });
rmSync(sources, { recursive: true });
// Both formats share the API's types: an ES module may refer to CommonJS, but not vice versa.
const types = readFileSync(join(dist, 'api.d.ts'), 'utf8').replace(/^ +/gm, (blanks) => ' '.repeat(blanks.length / 4));
writeFileSync(join(dist, 'api.d.cts'), types);
rmSync(join(dist, 'api.d.ts'));
for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
  const text = readFileSync(join(dist, file), 'utf8').replaceAll("'./api.ts'", "'./api.cjs'");
  writeFileSync(join(dist, file), text);
  writeFileSync(join(commonJs, file), text.replaceAll("'./api.cjs'", "'../api.cjs'"));
}
// Each distribution needs a copy of the licence.
cpSync(join(here, '../../LICENSE'), join(here, 'LICENSE'));
