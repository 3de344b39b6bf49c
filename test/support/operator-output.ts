import { globSync, readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import type { FunctionName } from '../../lambda/contract/environment.ts';
import { perUpstream, type UpstreamName } from '../../lambda/contract/upstreams.ts';
import { onDemand } from '../../lambda/doctor/on-demand.ts';
import { ServiceError } from '../../lambda/domain/service-error.ts';
import { DriftRadar } from '../../lambda/drift/drift-radar.ts';
import { mcp } from '../../lambda/endpoints/mcp.ts';
import { errorLog } from '../../lambda/http/error-log.ts';
import { pipeline } from '../../lambda/http/pipeline.ts';
import type { CallCounter } from '../../lambda/http-client/call-counter.ts';
import { loggedCallCounter } from '../../lambda/http-client/log-failures.ts';
import { UpstreamError } from '../../lambda/http-client/upstream-error.ts';
import type { DynamoDb } from '../../lambda/platform/dynamodb/client.ts';
import { type Telemetry, telemetry } from '../../lambda/platform/telemetry.ts';
import { LIVE_CALL } from '../../lambda/polymarket/live-call.ts';
import { liveUpstreams } from '../../lambda/polymarket/live-upstreams.ts';
import { createRememberedHistory } from '../../lambda/price-memory/create-remembered-history.ts';
import { DynamoDbMemoryStore } from '../../lambda/price-memory/memory-store.ts';
import { StoredPriceMemory } from '../../lambda/price-memory/stored-price-memory.ts';
import { rateLimitReports } from '../../lambda/rate-limit/rate-limit-reports.ts';
import { ForgetfulMemory } from '../../lambda/refresh/forgetful-memory.ts';
import type { Published } from '../../lambda/refresh/ports.ts';
import { reportedRefresh } from '../../lambda/refresh/reported-refresh.ts';
import { snapshotCache } from '../../lambda/snapshots/create-snapshot-cache.ts';
import { watchFrontDoor } from '../../lambda/watch/front-door.ts';
import {
  fakePrices,
  fakePublisher,
  listable,
  pagedCatalogue,
} from '../unit/lambda/refresh/fake-upstreams.ts';
import { apiEvent } from './api-event.ts';
import { catalogueMarket } from './catalogue-market.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryTable } from './memory-table.ts';

/** Everything that a function can tell the operator: its metrics and log lines, as JSON. */
export type OutputLine = Readonly<Record<string, unknown>>;

/**
 * What reports to the operator, by the name under which a handler wires it, and a use of it in which it tells all it
 * ever can. A handler's source says which of them it has; so nothing is listed that no handler emits.
 */
const REPORTERS: Readonly<Record<string, (telemetry: Telemetry) => Promise<void> | void>> = {
  reportedRefresh: useRefresh,
  createCallerLimit: ({ logger, metrics }) => {
    const { onUnavailable, onRefused } = rateLimitReports(logger, metrics, new ManualClock());
    onUnavailable(deepError());
    onRefused('key of a client', false);
  },
  snapshotCache: useSnapshotCache,
  createLiveClob: useLive(['clob']),
  createLiveUpstreams: useLive(['clob', 'data']),
  pipeline: usePipeline,
  DriftRadar: useDriftRadar,
  watchFrontDoor: useWatch,
  mcp: useTools,
  createRememberedHistory: useRememberedHistory,
  StoredPriceMemory: useStoredMemory,
  onDemand: useDoctor,
};

/** How the sentences of all warnings and errors begin that stand in the code of the functions. */
export function reportedProblems(): string[] {
  const sources = globSync('lambda/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  return sources.flatMap((source) =>
    [...source.matchAll(/\b(?:warn|error|onProblem)(?:\?\.)?\(\s*['"`]([A-Z][^'"`$]*)/g)].map(
      ([, text]) => text ?? '',
    ),
  );
}

/** Runs what the handler of a function wires and collects the lines. */
export async function outputOf(service: FunctionName): Promise<OutputLine[]> {
  const source = readFileSync(`lambda/handlers/${service}.ts`, 'utf8');
  const lines: string[] = [];
  const keep = (chunk: unknown) => lines.push(String(chunk)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation(keep),
  );
  try {
    for (const [name, use] of Object.entries(REPORTERS)) {
      if (source.includes(`${name}(`)) await use(telemetry(service));
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines.join('').split('\n').filter(Boolean).map(parsed);
}

function parsed(line: string): OutputLine {
  if (!line.startsWith('{')) throw new Error(`Not a line of the Logger or of Metrics: ${line}`);
  return JSON.parse(line);
}

/** A price memory that cannot be written. */
class FailingMemory extends ForgetfulMemory {
  override async keep(): Promise<boolean> {
    return false;
  }
}

async function useRefresh({ logger, metrics }: Telemetry): Promise<void> {
  const previous = (markets: number, asOf = 0): Published => ({
    id: 'previous',
    asOf,
    markets,
    counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
    shrunkRuns: 0,
  });
  const clock = new ManualClock();
  const store = fakePublisher(previous(600)).publisher;
  const large = fakePublisher(previous(10_000)).publisher;
  const fail = async () => {
    throw deepError();
  };
  const publishers = [
    store,
    large,
    { ...store, publish: async () => ({ outcome: 'superseded' as const, bytes: 0, chunks: 0 }) },
    { ...store, publish: fail },
    { ...store, latest: fail, newest: fail },
    // Of a catalogue just read, so that a price run need not read it again.
    fakePublisher(previous(600, clock.now())).publisher,
    { ...fakePublisher(previous(600, clock.now())).publisher, publish: fail },
  ];
  for (const publisher of publishers) {
    const counters = perUpstream((name) => counter(name, logger));
    const run = reportedRefresh({
      catalogue: pagedCatalogue([Array.from({ length: 600 }, (_, n) => listable(catalogueMarket(n)))]),
      // One run without any history, the others with all.
      prices: publisher === store ? fakePrices({ histories: async () => new Map() }) : fakePrices(),
      publisher,
      memory: new FailingMemory(),
      clock,
      random: () => 0.5,
      maxMarkets: 2_000,
      logger,
      metrics,
      counters,
    });
    counters.clob.responded(new Headers({ date: new Date(clock.now() - 60_000).toUTCString() }), clock.now());
    await run(100_000).catch(() => undefined);
    await run(100_000, 'prices').catch(() => undefined);
  }
}

function counter(upstream: UpstreamName, logger: Telemetry['logger']): CallCounter {
  const counting = loggedCallCounter(upstream, logger);
  counting.failed(
    new UpstreamError({ route: 'r', failure: 'status', status: 403, excerpt: 'no', cause: deepError() }),
  );
  return counting;
}

async function useSnapshotCache({ logger, metrics }: Telemetry): Promise<void> {
  const fail = () => Promise.reject(deepError());
  const client: DynamoDb = { get: fail, put: fail, update: fail };
  const settings = { SNAPSHOT_TABLE: 'snapshots', FRESH_SECONDS: 120, STALE_IF_ERROR_SECONDS: 0 };
  const { cache } = snapshotCache({ settings, client, logger, metrics, view: () => undefined });
  await cache.latest().catch(() => undefined);
  await cache.byId('20261121T120000000Z-00000000').catch(() => undefined);
}

function useLive(names: readonly UpstreamName[]) {
  return async ({ logger, metrics }: Telemetry): Promise<void> => {
    const urls = Object.fromEntries(names.map((name) => [name, 'http://upstream.example'])) as Record<
      UpstreamName,
      string
    >;
    let calls = 0;
    const { upstreams, live } = liveUpstreams({
      urls,
      // First a stale socket, which is tried again, then a refusal.
      fetch: async () => {
        calls += 1;
        if (calls % 2 === 1) throw new TypeError('fetch failed', { cause: staleSocket() });
        return new Response('slow down', { status: 429 });
      },
      clock: new ManualClock(),
      random: () => 0,
      logger,
      metrics,
    });
    for (const name of names) {
      const read = (deadline: number) =>
        upstreams[name].request('book', '/book', ({ body }) => body, { deadline, ...LIVE_CALL });
      await live('order book', read).catch(() => undefined);
    }
  };
}

function staleSocket(): Error {
  return Object.assign(deepError(), { code: 'ECONNRESET' });
}

async function useDriftRadar({ logger, metrics }: Telemetry): Promise<void> {
  const none = { shapes: {}, skipped: {}, unknownVersions: [], schemas: [], honoured: {} };
  const seen = { ...none, records: 100, pageSize: 50 };
  const clock = new ManualClock();
  const read = async () => ({ known: { ...none, pageSize: 100 } });
  const radar = new DriftRadar({ store: { read, write: async () => undefined }, logger, metrics, clock });
  await radar.endOfRun(seen);
  const store = { read: () => Promise.reject(deepError()), write: async () => undefined };
  await new DriftRadar({ store, logger, metrics, clock }).endOfRun(seen);
}

async function useWatch({ logger }: Telemetry): Promise<void> {
  const clock = new ManualClock();
  const refuse = async () => new Response('no', { status: 403 });
  const hangUp = async () => {
    throw new TypeError('fetch failed', { cause: deepError() });
  };
  for (const fetch of [refuse, hangUp]) {
    await watchFrontDoor({ url: 'https://door.example', fetch, clock, logger })().catch(() => undefined);
  }
}

async function usePipeline({ logger }: Telemetry): Promise<void> {
  const errors = [
    deepError(),
    new ServiceError('snapshot_stale', 'Too old.', { cause: deepError(), details: { ageSeconds: 151 } }),
  ];
  for (const error of errors) {
    const handler = pipeline({
      route: 'get-status',
      logger,
      endpoint: () => {
        throw error;
      },
    });
    await handler(apiEvent(), {} as never);
  }
}

/** A tool that fails, and one that has no data. */
async function useTools({ logger }: Telemetry): Promise<void> {
  const fail = () => {
    throw deepError();
  };
  const haveNone = () => {
    throw new ServiceError('snapshot_missing', 'There is no market data yet.');
  };
  const endpoints = {
    'list-markets': haveNone,
    'search-markets': fail,
    'get-market': fail,
    'get-event': fail,
    'get-order-book': fail,
    'get-prices-history': fail,
    'get-status': fail,
  };
  const clock = new ManualClock();
  const endpoint = mcp({ endpoints, now: clock.now, log: errorLog(logger, clock) });
  for (const name of ['list_markets', 'market_status']) {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-06-18' };
    await endpoint({ parameters: {}, sent: {}, path: '/mcp', headers, body: JSON.stringify(call) });
  }
}

async function useRememberedHistory({ logger }: Telemetry): Promise<void> {
  const fail = () => Promise.reject(deepError());
  const client: DynamoDb = { get: fail, put: fail, update: fail };
  const history = createRememberedHistory({ settings: { SNAPSHOT_TABLE: 'snapshots' }, client, logger });
  await history.points('7', 3_600, 1, Date.now() + 1_000);
}

/** A store that fails, and one that has lost a piece. */
async function useStoredMemory({ logger }: Telemetry): Promise<void> {
  const onProblem = (message: string, error: unknown) => logger.warn(message, { error: error as Error });
  const fail = () => Promise.reject(deepError());
  const now = Date.parse('2026-11-21T12:00:00Z');
  const failing = new StoredPriceMemory({
    store: { get: fail, put: fail, replace: fail },
    random: () => 0.5,
    onProblem,
  });
  await failing.open(now, now);
  await failing.keep(now, new Map([['7', 0.5]]), now);
  const table = new MemoryTable();
  const store = new DynamoDbMemoryStore({ client: table.client, table: table.table, now: () => now });
  const stored = () => new StoredPriceMemory({ store, random: () => 0.5, onProblem });
  const writer = stored();
  const deadline = now + 60_000;
  await writer.open(now, deadline);
  writer.learn('day', new Map([['7', [{ t: now / 1_000 - 60, p: 0.5 }]]]), now / 1_000);
  await writer.keep(now, new Map([['7', 0.5]]), deadline);
  for (const key of table.items.keys()) if (key !== 'MEMORY 0') table.items.delete(key);
  await stored().open(now, deadline);
}

async function useDoctor({ logger }: Telemetry): Promise<void> {
  const url = 'http://upstream.example';
  const refuse = async () => new Response('no', { status: 403 });
  const clock = new ManualClock();
  await onDemand({ urls: { gamma: url, clob: url, data: url }, fetch: refuse, clock, logger }, 0);
}

function deepError(): Error {
  return new Error('It failed', { cause: new Error('since that failed') });
}
