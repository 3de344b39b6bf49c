import type { DatasetChange, FaultSpec } from 'polymarket-simulator';
import type { MetricName } from '../../../../lambda/contract/metrics.ts';
import type { UpstreamName } from '../../../../lambda/contract/upstreams.ts';
import type { RefreshOutcome } from '../../../../local/service-events.ts';
import type { StoreFault } from '../../../support/store-fault.ts';
import type { TestResponse } from '../../support/test-service.ts';
import type { FaultBench, FunctionChanges, LiveResponses } from './bench.ts';

/** How the run under the fault ends; `none`: there is no run in it. */
export type RunEnd = 'published' | 'superseded' | 'shrunk' | 'failed' | 'killed' | 'none';

/** What a new snapshot lacks; by default nothing. */
export interface Seen {
  /** `fewer` than the upstream really has. @default 'all' */
  readonly markets?: 'all' | 'fewer';
  /** 1-day changes. @default 'all' */
  readonly oneDay?: 'all' | 'some' | 'top 20' | 'none';
  /** 7- and 30-day changes. @default 'all' */
  readonly long?: 'all' | 'none';
  /** Where the prices come from. @default 'order book' */
  readonly prices?: 'order book' | 'some of the catalogue' | 'catalogue';
}

/** What who asks for something live gets while the fault is there: what is true, or 502. */
export interface LiveSeen {
  /** Of a single book, and of several in one call. */
  readonly books: 200 | 502;
  readonly histories: 200 | 502;
}

/**
 * What the readers see after the run.
 * - `old`: the previous snapshot as long as it is fresh, then 502
 * - `prices`: new prices of the markets and facts of the previous snapshot
 * - `new`: the snapshot of this run
 * - `live`: the snapshot as before, while books and price histories are read through
 * - `memory`: containers that hold the previous snapshot respond with it; the others cannot, and say 502 with this code
 */
export type Readers =
  | 'old'
  | 'prices'
  | { readonly new: Seen }
  | { readonly live: LiveSeen }
  | { readonly memory: 'snapshot_missing' | 'snapshot_stale' };

/** An exact value, a range with both ends in it, or nothing at all. */
export type Expected = number | string | readonly [min: number, max: number] | null;

export interface LogLine {
  readonly message: string;
  readonly keys?: Readonly<Record<string, Expected>>;
}

export type MetricOf = MetricName | `${MetricName} ${UpstreamName}`;

export interface Played {
  readonly outcome: RefreshOutcome | undefined;
  /** Responses that were given in the middle of it: each must be the previous snapshot, whole. */
  readonly meanwhile?: readonly TestResponse[];
  /** What was read live under the fault, and the same without it. */
  readonly live?: { readonly under: LiveResponses; readonly without: LiveResponses };
}

/** One row of docs/faults.md, and the test that proves it. */
export interface FaultCase {
  readonly fault: string;
  /** Over the simulated upstream's control API. */
  readonly upstream?: readonly FaultSpec[];
  readonly dataset?: DatasetChange;
  /** By the proxy in front of DynamoDB. */
  readonly store?: readonly StoreFault[];
  readonly changes?: FunctionChanges;
  /** The price memory is empty, as before a first run: what upstream does not tell, nobody knows. */
  readonly forgets?: true;
  /** What happens, where that is not one run of the refresher. */
  readonly scene?: { readonly does: string; readonly play: (bench: FaultBench) => Promise<Played> };
  /** Whether the fault is still there when the readers are asked. @default false */
  readonly stays?: true;
  readonly run: RunEnd;
  readonly readers: Readers;
  /** Beyond what every run that ends so writes. */
  readonly log?: readonly LogLine[];
  readonly metrics?: Readonly<Partial<Record<MetricOf, Expected>>>;
  /** Most megabytes of a response that are taken, give or take what is on its way. */
  readonly mostMb?: number;
  /** What heals it. @default the next run */
  readonly recovery?: string;
  /** Whether the next run comes at once, so that it meets the pointer as it is. @default two minutes later */
  readonly healsAtOnce?: true;
}

export const MANY = Number.POSITIVE_INFINITY;

/** The line that each attempt of a call to the upstream leaves behind when it fails. */
export function failedCall(route: string, failure: string, status?: number): LogLine {
  return {
    message: 'Upstream call failed',
    keys: { route, failure, ...(status === undefined ? {} : { status }) },
  };
}

interface Reported {
  readonly log: readonly LogLine[];
  readonly metrics: Readonly<Partial<Record<MetricOf, Expected>>>;
}

const OLD_AGE: Expected = [120, 200];
const NEW_AGE: Expected = [0, 60];

/** What a run says of itself, by its end. */
const REPORTS: Readonly<Record<RunEnd, Reported>> = {
  published: {
    log: [{ message: 'Snapshot published' }],
    metrics: { RefreshPublished: 1, SnapshotAge: NEW_AGE },
  },
  superseded: {
    log: [{ message: 'Snapshot superseded by a newer one' }],
    metrics: { RefreshSuperseded: 1, SnapshotAge: NEW_AGE },
  },
  shrunk: {
    log: [{ message: 'Too few markets to believe in: not published' }],
    metrics: { RefreshShrunk: 1, SnapshotAge: OLD_AGE },
  },
  failed: { log: [{ message: 'Refresh failed' }], metrics: { RefreshFailed: 1, SnapshotAge: OLD_AGE } },
  killed: { log: [], metrics: { RefreshPublished: null, RefreshFailed: null, SnapshotAge: null } },
  none: { log: [], metrics: {} },
};

/** What a run adds that publishes prices where it cannot publish more. */
const PRICES = {
  log: { message: 'Snapshot published', keys: { kind: 'prices' } },
  metrics: { PricesPublished: 1, SnapshotAge: NEW_AGE },
} as const;

/** Everything the log and the metrics must say. */
export function reportOf(row: FaultCase): Reported {
  const { log: ended, metrics: told } = REPORTS[row.run];
  const priced = row.readers === 'prices' && row.run !== 'published';
  const log = priced ? [...ended, PRICES.log] : ended;
  const metrics = priced ? { ...told, ...PRICES.metrics } : told;
  const own = row.log ?? [];
  const kept = log.filter(({ message }) => own.every((line) => line.message !== message));
  return { log: [...kept, ...own], metrics: { ...metrics, ...row.metrics } };
}
