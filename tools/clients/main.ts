/** `npm run test:clients`: programs of other projects against the local service. See USAGE. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { transformSync } from 'esbuild';
import { VERSION } from '../../lambda/core/contract/constants.ts';
import { MINUTE_MS } from '../../lambda/core/domain/time.ts';
import { FolderStore } from '../../local/folder-store.ts';
import { simulateArchive } from '../../local/simulator/archive/simulated-archive.ts';
import { readArguments } from '../arguments.ts';
import { fuzz } from '../fuzz.ts';
import { pinned, pythonPrograms, run } from '../programs.ts';
import { startRunningService } from '../running-service.ts';
import { simulatePast } from './simulated-past.ts';

const USAGE = `Usage: npm run test:clients -- [--full] [--seed N]

Lets clients and programs of other projects read the local service. Then sends generated requests to it.
--full     10,000 generated requests or more
--seed N   other generated requests (default: 1)`;

/** The markets of the local service. */
const MARKETS = 100;
/** The package of `packages/client`. */
const CLIENT = 'market-data-proxy-client';
/** For the simulated archive, whose prices depend on it. */
const SIMULATED_NOW = Date.parse('2026-11-21T12:00:00Z');
/** What the examples of the client's README print, in their order. */
const PRINTED = [
  /\d+ markets, prices \d+ s old\n.+ \{ price: '.+ \d+\n\d\d+ markets\n$/s,
  /^404 .+ [\w-]+\n$/,
];
const TSC_OPTIONS = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];

const chosen = readArguments(USAGE, { full: { type: 'boolean' }, seed: { type: 'string' } });
const here = import.meta.dirname;
const root = join(here, '../..');
const tsc = join(root, 'node_modules/.bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-clients-'));
// Installations block this process, so they come first.
const generator = pythonPrograms('openapi-python-client');
const dataFrames = pythonPrograms('duckdb', 'pandas', 'polars', 'pyarrow', 'pytz');
const yaml = pythonPrograms('pyyaml');
const service = await startRunningService(MARKETS, true);
let failures = 0;
try {
  await apiDocument();
  await pythonClient();
  await openapiFetch();
  await clientPackage();
  await firstRelease();
  await nextRelease();
  await archiveQueries();
  await csvImports();
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 && (await fuzz(chosen)) ? 0 : 1;

/**
 * Runs a program, and prints whether it passed: it ends with status 0, and its output matches
 * `printed`. If it fails, prints all its output.
 */
async function step(
  name: string,
  program: string,
  args: readonly string[],
  { cwd = folder, printed = /^/ } = {},
) {
  // openapi-python-client runs a formatter of its environment.
  const path = [join(program, '..'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, LOCAL_SERVICE: service.url };
  const { status, output } = await run(program, args, { cwd, env });
  const passed = status === 0 && printed.test(output);
  if (!passed) failures += 1;
  console.log(passed ? `${name}: passed` : `${output}\n${name}: failed with status ${status}`);
}

/** A linter and a YAML parser accept the API document. */
async function apiDocument(): Promise<void> {
  const document = join(root, 'docs/openapi.json');
  const ruleset = ['--ruleset', join(here, 'spectral.yaml'), '--fail-severity', 'warn'];
  await step('Spectral', 'npx', [
    '--yes',
    pinned('@stoplight/spectral-cli'),
    'lint',
    document,
    ...ruleset,
  ]);
  const program =
    'import sys, yaml; print(len(yaml.safe_load(open(sys.argv[1]))["paths"]), "paths")';
  await step('PyYAML', join(yaml, 'python'), ['-c', program, document], {
    printed: /^\d+ paths\n$/,
  });
}

/** A generator makes a Python client, which calls every operation. */
async function pythonClient(): Promise<void> {
  await step('openapi-python-client', join(generator, 'openapi-python-client'), [
    'generate',
    '--url',
    `${service.url}/openapi.json`,
    '--output-path',
    join(folder, 'market_data'),
    '--meta',
    'none',
    '--fail-on-warning',
  ]);
  const program = join(here, 'generated_client.py');
  await step('Python client, every operation', join(generator, 'python'), [
    program,
    folder,
    service.url,
  ]);
}

/** `openapi-fetch.ts` and the code of docs/api.md compile with the types that they name. */
async function openapiFetch(): Promise<void> {
  const cwd = join(folder, 'openapi-fetch');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  cpSync(join(here, 'openapi-fetch.ts'), join(cwd, 'openapi-fetch.ts'));
  const [, section = ''] = readFileSync(join(root, 'docs/api.md'), 'utf8').split(
    '\n## Generated clients\n',
  );
  writeFileSync(join(cwd, 'example.ts'), /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? 'none');
  const types = ['openapi-typescript', `${service.url}/openapi.json`, '--output'];
  await step('openapi-typescript', process.execPath, [
    join(here, '../npx.ts'),
    ...types,
    join(cwd, 'market-data.d.ts'),
  ]);
  await step('installation of openapi-fetch', 'npm', ['install', pinned('openapi-fetch')], { cwd });
  symlinkSync(join(root, 'node_modules/@types'), join(cwd, 'node_modules/@types'));
  const options = ['--skipLibCheck', '--noUncheckedIndexedAccess', '--types', 'node'];
  const more = ['--allowImportingTsExtensions', 'openapi-fetch.ts', 'example.ts'];
  await step('openapi-fetch, types', tsc, [...TSC_OPTIONS, ...options, ...more], { cwd });
  await step('openapi-fetch, calls', process.execPath, ['openapi-fetch.ts', service.url], {
    cwd,
    printed: /^10 true true 0 true\n1 true no_order_book true id,question\n$/,
  });
}

/** The client package, built and installed as from the registry: types, checks and examples. */
async function clientPackage(): Promise<void> {
  await installClient();
  const files = writeReadmeExamples();
  writeFileSync(
    join(folder, 'common.cts'),
    `import { createClient } from '${CLIENT}';\nexport { createClient };\n`,
  );
  await step('client package, types', tsc, [...TSC_OPTIONS, '--types', '', ...files, 'common.cts']);
  cpSync(join(here, 'client-checks.mjs'), join(folder, 'client-checks.mjs'));
  await step('client package, checks', process.execPath, ['client-checks.mjs', service.url]);
  const preload = ['--import', join(here, 'local-service.mjs')];
  for (const [n, printed] of PRINTED.entries()) {
    await step(`client package, example ${n}`, process.execPath, [...preload, `example-${n}.mjs`], {
      printed,
    });
  }
}

/** Builds and packs the client, and installs the archive in the folder. */
async function installClient(): Promise<void> {
  const source = join(root, 'packages/client');
  const archive = join(folder, `${CLIENT}-${VERSION}.tgz`);
  await step('build of the client package', 'npm', ['run', 'build'], { cwd: source });
  await step('npm pack of the client package', 'npm', ['pack', '--pack-destination', folder], {
    cwd: join(source, 'dist'),
    printed: / cjs\/index\.js/,
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await step('installation of the client package', 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    archive,
  ]);
}

/**
 * Writes each example of the client's README as `example-<n>.ts` and, for Node.js, as `.mjs`.
 *
 * @returns the names of the TypeScript files
 */
function writeReadmeExamples(): string[] {
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  if (examples.length !== PRINTED.length)
    throw new Error('The README of the client has another number of examples.');
  return examples.map((code, n) => {
    const file = `example-${n}.ts`;
    writeFileSync(join(folder, file), code);
    writeFileSync(join(folder, `example-${n}.mjs`), transformSync(code, { loader: 'ts' }).code);
    return file;
  });
}

/**
 * Each block of code in docs/first-release.md, in a copy of the repository, prints the lines of the
 * block after it.
 */
async function firstRelease(): Promise<void> {
  const cwd = copyOfRepository('first-release');
  const page = readFileSync(join(root, 'docs/first-release.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)];
  if (blocks.length !== 3)
    throw new Error(`docs/first-release.md has ${blocks.length} blocks that can be rehearsed.`);
  for (const [n, [, code = '', lines = '']] of blocks.entries()) {
    const texts = lines
      .trim()
      .split(/…|\n/)
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const printed = new RegExp(texts.join('[^]*'));
    await step(`docs/first-release.md, step ${n + 1}`, 'bash', ['-ec', code], { cwd, printed });
  }
}

/**
 * The code of "Releases" in CONTRIBUTING.md, for 1.0.1: each file has the new version, and the lock
 * still has the packages of the workspaces and no copies of them from the registry.
 */
async function nextRelease(): Promise<void> {
  const cwd = copyOfRepository('next-release');
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = page.split('\n## Releases\n');
  const [, code = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  const commands = code.replace(/^ *VERSION=.*$/m, 'VERSION=1.0.1');
  await step('CONTRIBUTING.md, releases, step 1', 'bash', ['-ec', commands], { cwd });
  const check = `
    test "$(jq -r .version package.json)" = 1.0.1
    test "$(jq '[.packages | keys[] | select(endswith("node_modules/${CLIENT}"))] | length' package-lock.json)" = 1
    npm test -- --testPathPatterns supply-chain openapi/ --testNamePattern 'has one version|document'`;
  await step('CONTRIBUTING.md, releases, versions', 'bash', ['-ec', check], { cwd });
}

/** Copies the working tree without git and build results. The copy uses our packages. */
function copyOfRepository(name: string): string {
  const copy = join(folder, name);
  const leftOut = ['.git', '.venv', 'node_modules', 'cdk.out', 'dist'];
  cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.includes(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** The code of "CSV" in docs/api.md, which reads a file of the working directory. */
async function csvImports(): Promise<void> {
  const response = await fetch(`${service.url}/api/markets?format=csv`);
  writeFileSync(join(folder, 'markets.csv'), await response.text());
  const [, section = ''] = readFileSync(join(root, 'docs/api.md'), 'utf8').split('\n## CSV\n');
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(section) ?? [];
  const check = `
import csv
expected = [row["clobTokenId"] for row in csv.DictReader(open("markets.csv", encoding="utf-8", newline=""))]
assert len(expected) > 50 and max(map(len, expected)) > 70, expected
found = [list(frame["clobTokenId"]), polar["clobTokenId"].to_list(), rows.df()["clobTokenId"].to_list()]
assert found == [expected] * 3, found
print("the same ids")`;
  const options = { printed: /the same ids\n$/ };
  await step(
    'DuckDB, pandas and Polars, CSV of docs/api.md',
    join(dataFrames, 'python'),
    ['-c', code + check],
    options,
  );
}

/**
 * The code of docs/archive.md, on calibrated prices with a past, and on prices that are 40 % too
 * close to 50 %.
 */
async function archiveQueries(): Promise<void> {
  const folders = [0, 0.4].map((bias) => ({ bias, path: join(folder, `archive-${bias}`) }));
  for (const { bias, path } of folders) {
    const store = new FolderStore(join(path, 'data/archive'));
    await simulateArchive(store, { days: 14, now: SIMULATED_NOW, stepMs: 10 * MINUTE_MS, bias });
  }
  await simulatePast(folders[0]?.path ?? folder, SIMULATED_NOW);
  const program = [
    join(here, 'archive_queries.py'),
    join(root, 'docs/archive.md'),
    ...folders.map(({ path }) => path),
  ];
  await step('DuckDB, pandas and Polars, docs/archive.md', join(dataFrames, 'python'), program);
}
