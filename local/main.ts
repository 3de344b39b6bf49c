import { once } from 'node:events';
import { get } from 'node:http';
import { printRequest, shortenLogLines } from './console.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { startLocalService } from './service.ts';
import { OptionError } from './simulator/index.ts';
import { startSimulatorThread } from './simulator/worker.ts';

/** `npm start`: the whole service on this machine. */

/** If the first run has not published after this time, the server starts without data. The simulator always responds. */
const MAX_WAIT_MS = 4_000;
const MAX_WAIT_SIMULATED_MS = 30_000;

async function run({ upstream: choice, verbose, ...options }: Options): Promise<void> {
  if (!verbose) shortenLogLines();
  let upstream = choice;
  if ('simulator' in upstream) {
    const { url, description } = await startSimulatorThread(upstream.simulator);
    upstream = { gammaUrl: url, clobUrl: url, dataUrl: url };
    console.log(`All data is SIMULATED: ${description}. ${url}/_control injects faults.`);
  } else console.log(`The data comes from ${upstream.gammaUrl} and ${upstream.clobUrl}.`);
  let onServed: typeof printRequest = () => undefined;
  const { url, load } = await startLocalService({ ...options, upstream, onServed: (request) => onServed(request) });
  const limit = options.rateLimit === 'off' ? 'unlimited requests' : `${options.rateLimit} requests a minute`;
  console.log(`The service reads all markets every ${options.refreshEverySeconds} s. Each address may make ${limit}.`);
  const problem = await waitForData(url, 'simulator' in choice ? MAX_WAIT_SIMULATED_MS : MAX_WAIT_MS);
  if (problem !== undefined) console.log(`There is no data yet. The server keeps trying. ${problem}`);
  console.log(`
Try:
  curl '${url}/api/markets?limit=3'
  curl '${url}/api/markets/search?q=bitcoin&limit=3'
  curl '${url}/api/status'

Ready: ${url}`);
  onServed = printRequest;
  await load().catch(console.error);
}

/** Waits for the first snapshot. @returns why there is none yet */
async function waitForData(url: string, maxWaitMs: number): Promise<string | undefined> {
  const end = Date.now() + maxWaitMs;
  for (;;) {
    // With node:http: the first `fetch` of a process compiles WebAssembly, which delays the start.
    const [response] = await once(get(`${url}/api/status`), 'response');
    const { status, reason } = JSON.parse((await response.toArray()).join(''));
    if (status === 'ok') return undefined;
    if (Date.now() > end) return reason ?? 'The first read has not ended.';
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
// The reader of the output closed it.
process.stdout.on('error', () => process.exit(0));

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  // Only an error of the program itself needs its stack.
  console.error(error instanceof OptionError ? error.message : error);
  process.exit(error instanceof OptionError ? 2 : 1);
}
