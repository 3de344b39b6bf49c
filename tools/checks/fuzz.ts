/**
 * Fuzzes `npm start` from the API document that it serves, with all checks of schemathesis: no 5xx, no status that
 * is not documented, no response off its schema, and none of its warnings, which say that the document and the code
 * disagree on what is valid. `npm run test:fuzz [-- --seed N --examples N]`; the seed is 1 unless given, the
 * examples of each operation are those of schemathesis.toml.
 *
 * What schemathesis prints goes to a file, shown when it finds something: its closing line looks like that of a test
 * run of another kind.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzData, fuzzOperations } from './fuzz-data.ts';
import { type FuzzRun, findingsOf, judge } from './fuzz-report.ts';
import { pythonTool } from './python-tool.ts';
import { runInto } from './run-program.ts';
import { startService } from './running-service.ts';

const CASES_WANTED = 10_000;
const MARKETS = 300;
/** Processes at once: threads of one would take turns, and the order book upstream takes its time. */
const PROCESSES = 3;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, examples: { type: 'string' } },
});
const schemathesis = await pythonTool('schemathesis');
const OPTIONS = [
  ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing', '--no-color'],
  ...['--seed', values.seed],
  ...(values.examples === undefined ? [] : ['--max-examples', values.examples]),
  // How long it takes to make up a case says nothing of the service.
  ...['--suppress-health-check', 'too_slow'],
];

const service = await startService(MARKETS);
const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-fuzz-'));
let failed = true;
try {
  const environment = { ...process.env, ...(await hooks(service.url)) };
  const shares = Array.from({ length: PROCESSES }, (_, n) =>
    fuzzOperations().filter((_operation, at) => at % PROCESSES === n),
  );
  const runs = await Promise.all(shares.map((operations, n) => fuzz(operations, n, environment)));
  const wanted = values.examples === undefined ? CASES_WANTED : 0;
  const { problems, cases } = judge(runs, wanted);
  failed = problems.length > 0;
  if (failed) console.log([...runs.map(({ output }) => output), ...problems].join('\n'));
  console.log(`fuzz: ${cases.toLocaleString('en-US')} cases, ${failed ? 'with findings' : 'no finding'}`);
} finally {
  service.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** Fuzzes some of the operations. */
async function fuzz(operations: readonly string[], n: number, env: NodeJS.ProcessEnv): Promise<FuzzRun> {
  const file = join(folder, `output-${n}.txt`);
  const included = operations.flatMap((operation) => ['--include-operation-id', operation]);
  // Schemathesis does not resolve the document's own server, which is relative.
  const args = ['run', `${service.url}/openapi.json`, '--url', service.url, ...OPTIONS, ...included];
  const status = await runInto(file, schemathesis, args, { env });
  const output = readFileSync(file, 'utf8');
  return { status, output, ...findingsOf(output) };
}

/** Tells schemathesis of fuzz_hooks.py, and that of the data it uses. */
async function hooks(url: string): Promise<Record<string, string>> {
  return {
    SCHEMATHESIS_HOOKS: 'tools.checks.fuzz_hooks',
    PYTHONPATH: process.cwd(),
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_DATA: JSON.stringify(await fuzzData(url)),
  };
}
