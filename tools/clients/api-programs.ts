/** Programs that read the API document: a linter, a YAML parser, and generators of clients. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinned, pythonPrograms } from '../programs.ts';
import { codeBlock, ROOT, type Steps, TSC } from './steps.ts';

/** The PyPI packages of the steps. */
export const GENERATOR = 'openapi-python-client';
export const YAML = 'pyyaml';
const HERE = import.meta.dirname;

/** A linter and a YAML parser accept the API document. */
export async function apiDocument(steps: Steps): Promise<void> {
  const document = join(ROOT, 'docs/openapi.json');
  const spectral = ['npx', '--yes', pinned('@stoplight/spectral-cli'), 'lint', document];
  const ruleset = ['--ruleset', join(HERE, 'spectral.yaml'), '--fail-severity', 'warn'];
  await steps.run('Spectral', [...spectral, ...ruleset]);
  const python = join(pythonPrograms(YAML), 'python');
  const program =
    'import sys, yaml; print(len(yaml.safe_load(open(sys.argv[1]))["paths"]), "paths")';
  await steps.run('PyYAML', [python, '-c', program, document], { printed: /^\d+ paths\n$/ });
}

/** A generator makes a Python client, which calls every operation. */
export async function pythonClient(steps: Steps): Promise<void> {
  const { folder, serviceUrl } = steps;
  const programs = pythonPrograms(GENERATOR);
  await steps.run('openapi-python-client', [
    join(programs, GENERATOR),
    'generate',
    ...['--url', `${serviceUrl}/openapi.json`],
    ...['--output-path', join(folder, 'market_data')],
    ...['--meta', 'none'],
    '--fail-on-warning',
  ]);
  const program = [join(programs, 'python'), join(HERE, 'generated_client.py')];
  await steps.run('Python client, every operation', [...program, folder, serviceUrl]);
}

/** `openapi-fetch.ts` and the code of docs/api.md compile with the types that they name. */
export async function openapiFetch(steps: Steps): Promise<void> {
  const cwd = join(steps.folder, 'openapi-fetch');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  cpSync(join(HERE, 'openapi-fetch.ts'), join(cwd, 'openapi-fetch.ts'));
  writeFileSync(join(cwd, 'example.ts'), codeBlock('docs/api.md', 'Generated clients', 'ts'));
  const node = process.execPath;
  const generator = [node, join(HERE, '../npx.ts'), 'openapi-typescript'];
  const types = [`${steps.serviceUrl}/openapi.json`, '--output', join(cwd, 'market-data.d.ts')];
  await steps.run('openapi-typescript', [...generator, ...types]);
  const install = ['npm', 'install', pinned('openapi-fetch')];
  await steps.run('installation of openapi-fetch', install, { cwd });
  symlinkSync(join(ROOT, 'node_modules/@types'), join(cwd, 'node_modules/@types'));
  const compiler = [...TSC, '--skipLibCheck', '--noUncheckedIndexedAccess', '--types', 'node'];
  const files = ['--allowImportingTsExtensions', 'openapi-fetch.ts', 'example.ts'];
  await steps.run('openapi-fetch, types', [...compiler, ...files], { cwd });
  await steps.run('openapi-fetch, calls', [node, 'openapi-fetch.ts', steps.serviceUrl], {
    cwd,
    printed: /^10 true true 0 true\n1 true no_order_book true id,question\n$/,
  });
}
