/**
 * Fuzzes `npm start` from the API document that it serves, with all checks of schemathesis: no 5xx, no status that
 * is not documented, no response off its schema, and none of its warnings, which say that the document and the code
 * disagree on what is valid. `npm run test:fuzz [-- --seed N --examples N]`; the seed is 1 unless given.
 *
 * What schemathesis prints goes to a file, shown when it finds something: its closing line looks like that of a test
 * run of another kind.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { fuzzData } from './fuzz-data.ts';
import { findingsOf, judge } from './fuzz-report.ts';
import { pythonTool } from './python-tool.ts';

/** For each operation and phase; together more than the cases wanted. */
const EXAMPLES = '1200';
const CASES_WANTED = 10_000;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, examples: { type: 'string', default: EXAMPLES } },
});
const schemathesis = pythonTool('schemathesis');

console.log('Starting the service …');
// Neither the per-IP limit nor the public plan: what is fuzzed is the rest.
const limits = ['--rate-limit', 'off', '-c', 'publicRate=5000'];
const service = spawn('npm', ['start', '--', '--port', '0', '--markets', '300', ...limits], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-fuzz-'));
let failed = true;
try {
  const url = await readyUrl();
  const file = join(folder, 'output.txt');
  const output = openSync(file, 'w');
  const options = ['--checks', 'all', '--max-examples', values.examples, '--seed', values.seed, '--no-color'];
  const run = spawnSync(schemathesis, ['run', `${url}/openapi.json`, ...options], {
    env: { ...process.env, ...(await hooks(url)) },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const text = readFileSync(file, 'utf8');
  const wanted = values.examples === EXAMPLES ? CASES_WANTED : 0;
  const { problems, cases } = judge(findingsOf(text), run.status, wanted);
  failed = problems.length > 0;
  if (failed) console.log([text, ...problems].join('\n'));
  console.log(`fuzz: ${cases.toLocaleString('en-US')} cases, ${failed ? 'with findings' : 'no finding'}`);
} finally {
  service.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** Tells schemathesis of fuzz_hooks.py, and that of the data it uses. */
async function hooks(url: string): Promise<Record<string, string>> {
  return {
    SCHEMATHESIS_HOOKS: 'tools.checks.fuzz_hooks',
    PYTHONPATH: process.cwd(),
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_DATA: JSON.stringify(await fuzzData(url)),
  };
}

async function readyUrl(): Promise<string> {
  for await (const line of createInterface({ input: service.stdout })) {
    const url = /^Ready: (\S+)$/.exec(line)?.[1];
    if (url) {
      service.stdout.resume(); // what it prints of each request is not of interest here
      return url;
    }
  }
  throw new Error('The service ended before it was ready');
}
