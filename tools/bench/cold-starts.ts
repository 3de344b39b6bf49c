import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { SNAPSHOT_KEYS } from '../../lambda/io/platform/table-keys.ts';
import { bundle } from '../../lib/bundling.ts';
import { lambdaEventFor } from '../../local/event.ts';
import type { LocalFunctionName } from '../../local/functions.ts';
import type { LocalService } from '../../local/service.ts';
import { median, type Result } from './result.ts';

const run = promisify(execFile);
const CHILD = new URL('./cold-start-child.mjs', import.meta.url).pathname;

/** The usual way to read one item: the SDK with its defaults and one GetItem. */
const MINIMAL = `
  import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
  const client = new DynamoDBClient({});
  const Key = { ${SNAPSHOT_KEYS.partition}: { S: 'none' }, ${SNAPSHOT_KEYS.sort}: { N: '0' } };
  export const handler = async () => {
    const { Item } = await client.send(new GetItemCommand({ TableName: process.env.SNAPSHOT_TABLE, Key }));
    return { statusCode: 200, body: JSON.stringify({ found: Item !== undefined }) };
  };`;

/** CPU time as a ratio to a minimal handler in the same rounds. Each start is a new process. */
export async function coldStarts(service: LocalService, rounds: number): Promise<readonly Result[]> {
  const response = await fetch(`${service.url}/api/markets?limit=1&fields=clobTokenId`);
  const [market] = (await response.json()) as readonly { clobTokenId: string }[];
  const functions: readonly (readonly [name: LocalFunctionName, target: string, maxRatio: number])[] = [
    ['get-status', '/api/status', 1],
    ['get-order-book', `/api/clob/order-book?token_id=${market?.clobTokenId}`, 1.1],
    ['list-markets', '/api/markets', 1.5],
    ['search-markets', '/api/markets/search?q=bitcoin', 2.6],
  ];
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const minimal = join(folder, 'minimal.mjs');
    bundleMinimal(minimal);
    for (const [name] of functions) {
      mkdirSync(join(folder, name));
      bundle(`lambda/handlers/${name}.ts`, join(folder, name));
    }
    const times = functions.map((): { ours: number; theirs: number }[] => []);
    for (let round = 0; round < rounds; round += 1) {
      // The functions reject old data.
      await service.refresh('prices');
      for (const [n, [name, target]] of functions.entries()) {
        const theirs = await coldStartMs(service, minimal, {});
        const ours = await coldStartMs(service, join(folder, name, 'index.mjs'), lambdaEventFor(target).event);
        times[n]?.push({ ours, theirs });
      }
    }
    return functions.map(([name, , target], n) => {
      const samples = times[n] ?? [];
      const ms = median(samples.map(({ ours }) => ours));
      return {
        name: `cold start of ${name}`,
        detail: `${ms.toFixed(0)} ms of CPU, against a minimal handler with one GetItem`,
        value: median(samples.map(({ ours, theirs }) => ours / theirs)),
        unit: '×' as const,
        target,
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** AWS's recommendation for ES modules. */
function bundleMinimal(outfile: string): void {
  buildSync({
    stdin: { contents: MINIMAL, resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire } from 'module';const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
}

/** CPU time from process start to response. */
async function coldStartMs(service: LocalService, module: string, event: object): Promise<number> {
  // With rate limit, log and metrics, as in AWS.
  const { POWERTOOLS_LOG_LEVEL: _, POWERTOOLS_METRICS_DISABLED: __, ...environment } = process.env;
  const call = { BENCH_MODULE: module, BENCH_EVENT: JSON.stringify(event), REQUESTS_PER_MINUTE: '60000' };
  const { stdout } = await run(process.execPath, [CHILD], { env: { ...environment, ...service.environment, ...call } });
  const { cpuMs, status } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}');
  if (status !== 200) throw new Error(`${module} responds with ${status}: ${stdout.slice(0, 500)}`);
  return cpuMs;
}
