/**
 * `npm run costs:measure`: runs the synthesised service on this machine against the simulated upstream with realistic
 * latency, uses each endpoint, and writes down what it used. Takes about five minutes; `npm run docs` comes after it.
 */

import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { startUpstream } from 'polymarket-simulator';
import { POINTER_LOOK_SECONDS, SNAPSHOT_MARKETS_DEFAULT } from '../../lambda/contract/constants.ts';
import { ROUTES } from '../../lambda/contract/routes.ts';
import { perUrlVariable } from '../../lambda/contract/upstreams.ts';
import { TICK_MS } from '../../lambda/price-memory/ticks.ts';
import { projectAssembly } from '../../local/assembly.ts';
import type { LocalService } from '../../local/local-service.ts';
import { startService } from '../../local/service.ts';
import { DynamoDbMeter } from './dynamodb-meter.ts';
import {
  MEASURED_FILE,
  MEASURED_ROUTES,
  type Measured,
  type MeasuredRoute,
  type RequestUnits,
} from './measured.ts';

const REQUESTS = 100;
/** Below the limit of an address, whose item stays as small as it is in real life. */
const REQUESTS_PER_ADDRESS = 50;
/** Enough for as many listable markets as a snapshot holds. */
const MARKETS = 2_500;
/** Four hundred months a run: after so many runs none are left. */
const MOST_RUNS_OF_BACKFILL = 12;
/** Calls of a run that has nothing of the past to ask for but of new markets (docs/adr/0024-price-memory.md). */
const STEADY_BATCHES = 10;
/** The fastest of so many counts: a run mostly waits, and what else this machine does only makes it longer. */
const RUNS = 3;
/** CloudWatch bills so much for each line beside its text. */
const LINE_BYTES = 26;

const upstream = await startUpstream({ markets: MARKETS, latency: 'realistic' });
const assembly = await projectAssembly({});
const meter = await DynamoDbMeter.start();
const service = await startService({
  assembly,
  schedule: false,
  adjust: meter.adjust,
  environment: perUrlVariable(() => upstream.url),
});
let logBytes = 0;
let published: Readonly<Record<string, unknown>> = {};
service.on('metric', ({ data }) => {
  logBytes += JSON.stringify(data).length + LINE_BYTES;
});
service.on('log', ({ raw, message, keys }) => {
  logBytes += Buffer.byteLength(raw) + LINE_BYTES;
  if (message === 'Snapshot published') published = keys;
});
const durations = timed(service);

try {
  // The first run writes all texts, and a container's first load reads them.
  await refreshed();
  const firstRun = meter.take();
  await call(pathOf('list-markets', ''));
  const firstLoad = meter.take();
  // The next ones still ask for the past of all markets: what counts is what comes after.
  for (
    let run = 0;
    run < MOST_RUNS_OF_BACKFILL && Number(published.historyBatches) > STEADY_BATCHES;
    run += 1
  ) {
    await refreshed();
  }
  // The first run of a tick keeps a sample of the prices.
  await wait(TICK_MS - (Date.now() % TICK_MS));
  meter.take();
  takeLogBytes();
  await refreshed();
  const refreshUnits = meter.take();
  const runs = [published];
  const refreshLogBytes = takeLogBytes();
  for (let run = 1; run < RUNS; run += 1) {
    await refreshed();
    runs.push(published);
  }
  const fastest = (key: string) => Math.round(Math.min(...runs.map((run) => Number(run[key]))));
  await wait(2 * 1_000 * POINTER_LOOK_SECONDS);
  await call(pathOf('list-markets', ''));
  const load = meter.take();
  const markets: { clobTokenId: string }[] = JSON.parse(
    await call(`${ROUTES['list-markets'].path}?limit=${REQUESTS}`),
  );
  const tokens = markets.map(({ clobTokenId }) => clobTokenId);
  const requests = {} as Record<MeasuredRoute, RequestUnits>;
  for (const route of MEASURED_ROUTES) requests[route] = await measure(route, tokens);
  const measured: Measured = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node.js ${process.version}`,
    markets: SNAPSHOT_MARKETS_DEFAULT,
    refresh: {
      runMs: fastest('durationMs'),
      publishMs: fastest('publishMs'),
      readUnits: refreshUnits.reads,
      writeUnits: refreshUnits.writes,
      baseWriteUnits: firstRun.baseWrites,
      logBytes: refreshLogBytes,
    },
    load: { readUnits: load.reads, baseReadUnits: firstLoad.baseReads },
    requests,
  };
  writeFileSync(MEASURED_FILE, `${JSON.stringify(measured, null, 2)}\n`);
  console.log(JSON.stringify(measured, null, 2));
} finally {
  await service.close();
  await upstream.close();
  meter.close();
}

async function refreshed(): Promise<void> {
  const { ok } = await service.refresh();
  if (!ok) throw new Error('The refresh failed');
}

async function measure(route: MeasuredRoute, tokens: readonly string[]): Promise<RequestUnits> {
  await call(pathOf(route, tokens[0] ?? ''));
  meter.take();
  takeLogBytes();
  durations.length = 0;
  let bytes = 0;
  for (let n = 0; n < REQUESTS; n++) {
    const address = `127.0.${1 + MEASURED_ROUTES.indexOf(route)}.${1 + Math.floor(n / REQUESTS_PER_ADDRESS)}`;
    bytes += await responseBytes(pathOf(route, tokens[n % tokens.length] ?? ''), address);
  }
  const sorted = durations.toSorted((one, other) => one - other);
  return {
    functionMs: rounded(sorted[Math.floor(sorted.length / 2)] ?? 0),
    responseBytes: Math.round(bytes / REQUESTS),
    writeUnits: rounded(meter.take().writes / REQUESTS),
    logBytes: Math.round(takeLogBytes() / REQUESTS),
  };
}

function pathOf(route: MeasuredRoute, token: string): string {
  const { path } = ROUTES[route];
  if (route === 'list-markets') return path;
  return route === 'search-markets' ? `${path}?q=bitcoin%20december` : `${path}?token_id=${token}`;
}

async function call(path: string): Promise<string> {
  const response = await fetch(`${service.url}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return await response.text();
}

/** As the body goes over the line. */
function responseBytes(path: string, localAddress: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip' };
    get(`${service.url}${path}`, { headers, localAddress }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${response.statusCode}`)),
      );
    }).on('error', reject);
  });
}

/** Collects the milliseconds of each invocation. */
function timed({ functions }: LocalService): number[] {
  const collected: number[] = [];
  for (const target of functions.all()) {
    const invoke = target.invoke.bind(target);
    target.invoke = async (event, traceId) => {
      const invocation = await invoke(event, traceId);
      collected.push(invocation.durationMs);
      return invocation;
    };
  }
  return collected;
}

function takeLogBytes(): number {
  const taken = logBytes;
  logBytes = 0;
  return taken;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
