/**
 * Makes `dist`, the package that callers install: an ES module, a CommonJS module, declarations
 * without dependencies, and the only `package.json` with a version. Without a version, npm refuses
 * to pack the sources, which would make an empty package. npm does not build before it packs,
 * because `.npmrc` turns off scripts.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { VERSION } from '../../lambda/core/contract/constants.ts';
import { ERRORS } from '../../lambda/core/contract/errors.ts';

/** What the build reads of an operation of the API document. */
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    description: string;
    schema: object;
  }[];
}

const here = import.meta.dirname;
const dist = join(here, 'dist');
/** A copy of `src` whose `api.ts` does not need the service. It is removed at the end. */
const sources = join(dist, 'src');
const commonJs = join(dist, 'cjs');
rmSync(dist, { recursive: true, force: true });
copySources();
await bundle('esm', dist);
await bundle('cjs', commonJs);
writeFileSync(join(commonJs, 'package.json'), JSON.stringify({ type: 'commonjs' }));
writeDeclarations();
rmSync(sources, { recursive: true });
writeFileSync(join(dist, 'package.json'), JSON.stringify(manifest(), null, 2));
cpSync(join(here, 'README.md'), join(dist, 'README.md'));
// Each distribution needs a copy of the licence.
cpSync(join(here, '../../LICENSE'), join(dist, 'LICENSE'));

/** Copies `src`, with types in `api.ts` that do not need the service's contract. */
function copySources(): void {
  cpSync(join(here, 'src'), sources, { recursive: true });
  const api = join(sources, 'api.ts');
  const source = readFileSync(api, 'utf8');
  writeFileSync(api, generatedSchemas(api) + withoutContract(source));
}

/** Writes the client as one module of this format. */
async function bundle(format: 'esm' | 'cjs', folder: string): Promise<void> {
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

/** Writes the types beside each module. A CommonJS caller needs those of a CommonJS folder. */
function writeDeclarations(): void {
  execFileSync('npx', ['--no-install', 'tsc', '--project', 'tsconfig.build.json'], {
    cwd: here,
    stdio: 'inherit',
  });
  const declarations = readdirSync(dist).filter((name) => name.endsWith('.d.ts'));
  for (const file of declarations) cpSync(join(dist, file), join(commonJs, file));
}

/** The `package.json` of the package. Its paths begin at `dist`. */
function manifest(): object {
  const source = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const { private: _private, scripts: _scripts, devDependencies: _tools, ...fields } = source;
  return {
    ...fields,
    version: VERSION,
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': {
        import: { types: './index.d.ts', default: './index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
    },
  };
}

/**
 * The schemas of `docs/openapi.json` and its queries as types: the declaration of `components`,
 * which openapi-typescript makes.
 *
 * @param output the file that openapi-typescript writes
 */
function generatedSchemas(output: string): string {
  const { paths, components } = JSON.parse(
    readFileSync(join(here, '../../docs/openapi.json'), 'utf8'),
  );
  const queries = Object.values<{ get?: Operation }>(paths).flatMap(({ get }) =>
    get ? [querySchema(get)] : [],
  );
  const schemas = { ...components.schemas, ...Object.fromEntries(queries) };
  const input = `${output}.json`;
  const info = { title: '', version: '' };
  writeFileSync(
    input,
    JSON.stringify({ openapi: '3.1.0', info, paths: {}, components: { schemas } }),
  );
  const options = [
    '--output',
    output,
    '--immutable',
    '--default-non-nullable=false',
    '--empty-objects-unknown',
  ];
  const program = [join(here, '../../tools/npx.ts'), 'openapi-typescript'];
  execFileSync(process.execPath, [...program, input, ...options], { stdio: 'inherit' });
  const generated = readFileSync(output, 'utf8').replace(/^export /gm, '');
  return /^interface components \{.*?^\}\n/ms.exec(generated)?.[0] ?? '';
}

/** The name and the schema of an operation's query: `['listTags', { type: 'object', … }]`. */
function querySchema({ operationId, parameters }: Operation) {
  const sent = parameters.filter((one) => one.in === 'query');
  const properties = sent.map(({ name, schema, description }) => [
    name,
    { ...schema, description },
  ]);
  const required = sent.filter((one) => one.required).map(({ name }) => name);
  return [operationId, { type: 'object', required, properties: Object.fromEntries(properties) }];
}

/**
 * The exported types of `src/api.ts` with the generated schemas instead of the contract's, for
 * example `export type Market = components['schemas']['Market'];`.
 */
function withoutContract(source: string): string {
  const exported = (source.match(/^export type .*\n/gm) ?? []).join('');
  const operationId = (name: string) =>
    name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const codes = Object.keys(ERRORS).map((code) => `'${code}'`);
  return exported
    .replace(
      /(?:FromSchemaNamed|Query)<'([\w-]+)'>/g,
      (_, name) => `components['schemas']['${operationId(name)}']`,
    )
    .replace('keyof typeof ERRORS', codes.join(' | '));
}
