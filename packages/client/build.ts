/**
 * Makes `dist`: an ES module, a CommonJS module, and declarations that need no other package. In the sources the types and
 * lists of the API come from the contract of the service; here openapi-typescript generates the types from docs/openapi.json.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ERRORS } from '../../lambda/core/contract/errors.ts';
import { DEFAULT_MARKET_FIELDS, NULLABLE_FIELDS } from '../../lambda/core/contract/market-fields.ts';

const GENERATOR_OPTIONS = ['--immutable', '--root-types', '--root-types-no-schema-prefix'];
const OPERATIONS = ['listMarkets', 'searchMarkets', 'listEvents', 'getEvent', 'getPricesHistory', 'getPricesHistories'];

const here = import.meta.dirname;
const dist = join(here, 'dist');
const sources = join(dist, 'src');
const api = join(sources, 'api.ts');
const commonJs = join(dist, 'cjs');
const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd: here, stdio: 'inherit' });

rmSync(dist, { recursive: true, force: true });
cpSync(join(here, 'src'), sources, { recursive: true });
const npx = join(here, '../../tools/npx.ts');
run(process.execPath, npx, 'openapi-typescript', '../../docs/openapi.json', '--output', api, ...GENERATOR_OPTIONS);
const queries = OPERATIONS.map((operation) => {
  const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Query`;
  return `export type ${name} = NonNullable<operations['${operation}']['parameters']['query']>;`;
});
const codes = Object.keys(ERRORS).map((code) => `'${code}'`);
// The package has a class of the name ApiError.
const generated = readFileSync(api, 'utf8').replace('export type ApiError =', 'export type ErrorBody =');
writeFileSync(api, [generated, ...queries, `export type ErrorCode = ${codes.join(' | ')};`].join('\n'));
// The package contains the names of the fields and not their schemas.
const lists = Object.entries({ DEFAULT_MARKET_FIELDS, NULLABLE_FIELDS });
const literals = lists.map(
  ([name, fields]) => `export const ${name}: readonly (keyof Market)[] = ${JSON.stringify(fields)};`,
);
writeFileSync(join(sources, 'fields.ts'), ["import type { Market } from './api.ts';", ...literals].join('\n'));
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

run('npx', '--no-install', 'tsc', '--project', 'tsconfig.build.json');
rmSync(sources, { recursive: true });
for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
  cpSync(join(dist, file), join(commonJs, file));
}
