/**
 * Fuzzes `npm start` from the API document that it serves, with all checks of schemathesis: no 5xx, no status that
 * is not documented, no answer off its schema. `npm run test:fuzz [-- --seed N]`; the seed is 1 unless given.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { pythonTool } from './python-tool.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, examples: { type: 'string', default: '60' } },
});
const schemathesis = pythonTool('schemathesis');

console.log('Starting the service …');
const service = spawn('npm', ['start', '--', '--port', '0', '--rate-limit', 'off', '--markets', '300'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let status = 1;
try {
  const url = await readyUrl();
  const options = ['--checks', 'all', '--max-examples', values.examples, '--seed', values.seed, '--no-color'];
  const run = spawnSync(schemathesis, ['run', `${url}/openapi.json`, ...options], { stdio: 'inherit' });
  status = run.status ?? 1;
} finally {
  service.kill('SIGTERM');
}
console.log(`fuzz: ${status === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
process.exit(status);

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
