/**
 * The part of the bench that measures the CPU time of a function's first request, in a new process
 * (`cold-start-child.mjs`) that runs its bundle as Lambda does.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { SNAPSHOT_KEYS } from '../../lambda/io/platform/storage-layout.ts';
import { bundle } from '../../lib/bundling.ts';
import { lambdaEventFor } from '../../local/event.ts';
import type { LocalService } from '../../local/service.ts';
import { median, type Result } from './result.ts';

const run = promisify(execFile);
const CHILD = join(import.meta.dirname, 'cold-start-child.mjs');

/** The handler that others are compared with: the SDK with its defaults, and one GetItem. */
const MINIMAL = `
  import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
  const client = new DynamoDBClient({});
  const Key = { ${SNAPSHOT_KEYS.partition}: { S: 'none' }, ${SNAPSHOT_KEYS.sort}: { N: '0' } };
  export const handler = async () => {
    const { Item } = await client.send(new GetItemCommand({ TableName: process.env.SNAPSHOT_TABLE, Key }));
    return { statusCode: 200, body: JSON.stringify({ found: Item !== undefined }) };
  };`;

/**
 * Measures the CPU time of cold starts, as a ratio to the minimal handler in the same round. Each
 * start is a new process.
 */
export async function coldStarts(
  service: LocalService,
  rounds: number,
): Promise<readonly Result[]> {
  const functions = await measuredFunctions(service);
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const minimal = join(folder, 'minimal.mjs');
    bundleMinimal(minimal);
    for (const { name } of functions) {
      mkdirSync(join(folder, name));
      bundle(`lambda/handlers/${name}.ts`, join(folder, name));
    }
    for (let round = 0; round < rounds; round += 1) {
      // The functions reject old data.
      await service.refresh('prices');
      for (const { name, path, times, ratios } of functions) {
        const minimalMs = await coldStartMs(service, minimal, {});
        const ms = await coldStartMs(
          service,
          join(folder, name, 'index.mjs'),
          lambdaEventFor(path).event,
        );
        times.push(ms);
        ratios.push(ms / minimalMs);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return functions.map(({ name, times, ratios, maxRatio }) => ({
    name: `cold start, ${name}`,
    detail: `${median(times).toFixed(0)} ms of CPU, against a minimal handler with one GetItem`,
    value: median(ratios),
    unit: '×',
    target: maxRatio,
  }));
}

/**
 * The functions to measure, each with its request, its greatest ratio, and room for its results.
 */
async function measuredFunctions(service: LocalService) {
  const response = await fetch(`${service.url}/api/markets?limit=1&fields=clobTokenId`);
  const [market] = (await response.json()) as readonly { clobTokenId: string }[];
  const bookPath = `/api/clob/order-book?token_id=${market?.clobTokenId}`;
  // docs/costs.md has the measured ratios, with their variation; search-markets is above its target
  // there.
  return [
    { name: 'get-status', path: '/api/status', maxRatio: 1 },
    { name: 'get-order-book', path: bookPath, maxRatio: 1.15 },
    { name: 'list-markets', path: '/api/markets', maxRatio: 1.55 },
    { name: 'search-markets', path: '/api/markets/search?q=bitcoin', maxRatio: 2.6 },
  ].map((one) => ({ ...one, times: [] as number[], ratios: [] as number[] }));
}

/** Bundles the minimal handler, with the options that AWS recommends for ES modules. */
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
    banner: {
      js: "import { createRequire } from 'module';const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** The CPU time from process start to response, in ms. */
async function coldStartMs(service: LocalService, module: string, event: object): Promise<number> {
  // As in AWS: without the variables with which tests and tools silence log and metrics, and with
  // a rate limit, which is so high that it refuses nothing.
  const { POWERTOOLS_LOG_LEVEL: _, POWERTOOLS_METRICS_DISABLED: __, ...environment } = process.env;
  const call = {
    BENCH_MODULE: module,
    BENCH_EVENT: JSON.stringify(event),
    REQUESTS_PER_MINUTE: '60000',
  };
  const { stdout } = await run(process.execPath, [CHILD], {
    env: { ...environment, ...service.environment, ...call },
  });
  const { cpuMs, status } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}');
  if (status !== 200) throw new Error(`${module} responds with ${status}: ${stdout.slice(0, 500)}`);
  return cpuMs;
}
