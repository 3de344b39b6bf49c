import { setTimeout as wait } from 'node:timers/promises';
import type { TestResponse } from '../../support/test-service.ts';
import type { FaultBench } from './bench.ts';
import type { FaultCase, Played } from './fault-case.ts';

/** A snapshot that was read without any fault. */
export interface Healthy {
  /** Of the snapshot: prices stand still, and what is the same has the same ETag. */
  readonly id: string;
  readonly etag: string;
  /** `Last-Modified`: the time of the snapshot, minutes before that of the next. */
  readonly modified: string;
  readonly list: TestResponse['json'];
  /** Markets with the catalogue's price. */
  readonly cataloguePriced: number;
}

/** What came of a case. */
export interface Observed extends Played {
  /** From a container that held the previous snapshot, and from one that held nothing, where that differs. */
  readonly warm: TestResponse;
  readonly cold?: TestResponse;
  /** Of a new snapshot. */
  readonly status?: TestResponse;
  /** The same, cold, once the previous snapshot has outlived its freshness; only where it is what readers see. */
  readonly later?: TestResponse;
  readonly logs: FaultBench['service']['logs'];
  readonly metrics: FaultBench['service']['metrics'];
  /** Bytes that the upstream got rid of with each response that a fault acted on. */
  readonly bytes: readonly number[];
}

/** So old that readers look at the pointer before each response, and not yet too old to be served. */
const DUE_SECONDS = 125;
const STALE_SECONDS = 200;
const INTERVAL_SECONDS = 120;
/** Log lines and metrics of a function come a moment after its response. */
const LOGS_MS = 30;

/** A run without faults, two minutes after the one before; what it published is then about to be replaced. */
export async function heal(bench: FaultBench, atOnce = false): Promise<Healthy> {
  if (!atOnce) await bench.table.setAge(INTERVAL_SECONDS);
  return await seed(bench);
}

export async function seed(bench: FaultBench): Promise<Healthy> {
  const from = bench.service.logs.length;
  const outcome = await bench.refresh();
  const logged = bench.service.logs.slice(from).map(({ message }) => message);
  if (!outcome.ok || !logged.includes('Snapshot published')) {
    throw new Error(`The run without faults ended badly: ${outcome.error ?? logged.join('; ')}`);
  }
  await bench.table.setAge(DUE_SECONDS);
  const list = await bench.readCold();
  if (list.status !== 200) throw new Error(`The snapshot without faults cannot be read: ${list.text}`);
  const { id, counts } = await bench.table.manifest();
  return {
    id,
    etag: list.headers.get('etag') ?? '',
    modified: list.headers.get('last-modified') ?? '',
    list: list.json,
    cataloguePriced: counts.cataloguePriced,
  };
}

/** Lets the fault happen and looks at everything. Whatever happens, there is no fault any more afterwards. */
export async function playCase(bench: FaultBench, row: FaultCase): Promise<Observed> {
  const { logs, metrics } = bench.service;
  const [log, metric] = [logs.length, metrics.length];
  try {
    const faults = await inject(bench, row);
    const played = await (row.scene?.play(bench) ?? runOnce(bench));
    if (!row.stays) await bench.clear();
    const warm = await bench.read();
    const others = await readMore(bench, row);
    await wait(LOGS_MS);
    return {
      ...played,
      warm,
      ...others,
      logs: logs.slice(log),
      metrics: metrics.slice(metric),
      bytes: bench.bytesSpoiltBy(faults),
    };
  } finally {
    await bench.clear();
    if (needsNewProcess(row)) await bench.killRefresher();
  }
}

/** @returns the ids of the upstream's faults */
async function inject(bench: FaultBench, row: FaultCase): Promise<string[]> {
  const { upstream, dataset, store, changes, forgets } = row;
  if (forgets) await bench.table.forgetPrices();
  if (changes) bench.changes = changes;
  if (forgets || (changes && needsNewProcess(row))) await bench.killRefresher();
  const faults: string[] = [];
  for (const fault of upstream ?? []) faults.push(await bench.addUpstreamFault(fault));
  if (dataset) await bench.changeDataset(dataset);
  for (const fault of store ?? []) void bench.dynamodb.add(fault);
  return faults;
}

async function runOnce(bench: FaultBench): Promise<Played> {
  return { outcome: await bench.refresh() };
}

async function readMore(bench: FaultBench, { readers, stays }: FaultCase): Promise<Partial<Observed>> {
  if (readers === 'prices' || (typeof readers === 'object' && 'new' in readers)) {
    return { ...(stays ? { cold: await bench.readCold() } : {}), status: await bench.coldStatus() };
  }
  const cold = await bench.readCold();
  if (readers !== 'old') return { cold };
  await bench.table.setAge(STALE_SECONDS);
  return { cold, later: await bench.readCold() };
}

/**
 * The environment is that of a process; and a process remembers which history routes have failed, and would ask them
 * last, or not at all, in the next case.
 */
function needsNewProcess({ changes, upstream = [] }: FaultCase): boolean {
  const { environment, refresherClockMs } = changes ?? {};
  const catalogueOnly = upstream.every(({ route }) => route === 'markets-keyset');
  return environment !== undefined || refresherClockMs !== undefined || !catalogueOnly;
}
