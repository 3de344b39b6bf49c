import { callsUpstream, type FunctionName } from './environment.ts';
import { functionsWhere } from './routes.ts';
import { UPSTREAM_NAMES, type UpstreamName } from './upstreams.ts';

/** The namespace of every metric of a stage; alarms and dashboard read the same names. */
export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/**
 * Name → unit of everything that is counted or measured, and how it is kept. A name that is not here does not compile.
 *
 * `log`: a field of the line that the function writes, which Logs Insights and the dashboard read: it costs its bytes.
 * `metric`: a metric of CloudWatch as well, at 0.30 USD a month each, since an alarm looks at it. `shared`: such a
 * metric, but one for all functions together, since an alarm costs 0.10 USD for each metric it looks at; told only when
 * it is not 0, and costs nothing in an hour in which it is not told.
 */
export const METRICS = {
  /** Refresh: one value a full run. */
  RefreshPublished: { unit: 'Count', kept: 'log' },
  RefreshSuperseded: { unit: 'Count', kept: 'log' },
  RefreshShrunk: { unit: 'Count', kept: 'log' },
  RefreshFailed: { unit: 'Count', kept: 'log' },
  RefreshDuration: { unit: 'Milliseconds', kept: 'log' },
  /** Runs for the prices alone, between two full ones. */
  PricesPublished: { unit: 'Count', kept: 'log' },
  PricesFailed: { unit: 'Count', kept: 'shared' },
  /** Age of the newest snapshot at the end of a run of either kind, however it went. Missing where it cannot be read. */
  SnapshotAge: { unit: 'Seconds', kept: 'metric' },
  /** How far this clock is ahead of the upstream's (negative: behind), within a second. */
  ClockSkew: { unit: 'Seconds', kept: 'log' },
  /** From reading the prices to the published pointer. */
  PublishLatency: { unit: 'Milliseconds', kept: 'log' },
  SnapshotBytes: { unit: 'Bytes', kept: 'log' },
  MarketsListed: { unit: 'Count', kept: 'log' },
  /** Full runs that found less than four fifths of the markets that a snapshot holds. */
  RunsWithFewMarkets: { unit: 'Count', kept: 'shared' },
  MarketsSkipped: { unit: 'Count', kept: 'log' },
  MarketsCataloguePriced: { unit: 'Count', kept: 'log' },
  /** Share of the listed markets with a 1-day change. */
  OneDayChangeCoverage: { unit: 'Percent', kept: 'log' },
  /** Full runs after which less than half of the markets have such a change. */
  RunsWithFewChanges: { unit: 'Count', kept: 'shared' },
  /** Share of the 1-day changes that are counted from prices which the service has kept itself. */
  OwnOneDayChanges: { unit: 'Percent', kept: 'log' },
  /** Runs of either kind whose prices could not be kept, or whose memory could not be read; told when there are any. */
  PriceMemoryFailed: { unit: 'Count', kept: 'log' },
  /** Oldest page of the crawl in the upstream's cache. */
  CatalogueAge: { unit: 'Seconds', kept: 'log' },
  /** Upstream calls, with the field Upstream. */
  UpstreamCalls: { unit: 'Count', kept: 'log' },
  UpstreamRetries: { unit: 'Count', kept: 'log' },
  UpstreamFailures: { unit: 'Count', kept: 'log' },
  UpstreamBlocked: { unit: 'Count', kept: 'shared' },
  /** Things about the upstream that are not as they were; told when there are any. */
  DriftDetected: { unit: 'Count', kept: 'shared' },
  /** Readers. */
  SnapshotLoadFailed: { unit: 'Count', kept: 'log' },
  /** Requests that the per-IP limit refused. */
  RateLimitRefused: { unit: 'Count', kept: 'log' },
  /** Requests that were served uncounted since the table failed. */
  RateLimitUnavailable: { unit: 'Count', kept: 'shared' },
} as const satisfies Record<string, { readonly unit: string; readonly kept: 'log' | 'metric' | 'shared' }>;

export type MetricName = keyof typeof METRICS;

const REFRESHER = ['refresh-snapshot'] as const;
const COUNTED = functionsWhere(({ counted }) => counted);
const SNAPSHOT_HOLDERS = functionsWhere(({ source, counted }) => source === 'snapshot' && counted);
/** All that a caller's request may make call an upstream. */
const LIVE_READERS = functionsWhere(() => true).filter((name) => upstreamsOf(name).length > 0);

/** The functions that emit each metric, in a line with the field `service`; a test holds the table against the handlers. */
export const METRIC_SOURCES: Readonly<Record<MetricName, readonly FunctionName[]>> = {
  RefreshPublished: REFRESHER,
  RefreshSuperseded: REFRESHER,
  RefreshShrunk: REFRESHER,
  RefreshFailed: REFRESHER,
  RefreshDuration: REFRESHER,
  PricesPublished: REFRESHER,
  PricesFailed: REFRESHER,
  SnapshotAge: REFRESHER,
  ClockSkew: REFRESHER,
  PublishLatency: REFRESHER,
  SnapshotBytes: REFRESHER,
  MarketsListed: REFRESHER,
  RunsWithFewMarkets: REFRESHER,
  MarketsSkipped: REFRESHER,
  MarketsCataloguePriced: REFRESHER,
  OneDayChangeCoverage: REFRESHER,
  OwnOneDayChanges: REFRESHER,
  PriceMemoryFailed: REFRESHER,
  RunsWithFewChanges: REFRESHER,
  CatalogueAge: REFRESHER,
  UpstreamCalls: [...REFRESHER, ...LIVE_READERS],
  UpstreamRetries: [...REFRESHER, ...LIVE_READERS],
  UpstreamFailures: [...REFRESHER, ...LIVE_READERS],
  UpstreamBlocked: [...REFRESHER, ...LIVE_READERS],
  DriftDetected: REFRESHER,
  SnapshotLoadFailed: SNAPSHOT_HOLDERS,
  RateLimitRefused: COUNTED,
  RateLimitUnavailable: COUNTED,
};

/** The dimension that names the function. */
export const SERVICE_DIMENSION = 'service';

/** The dimension of shared metrics, with its only value. */
export const SHARED_DIMENSION = 'functions';
export const SHARED = 'all';

/** The field that tells the upstreams apart. */
export const UPSTREAM_FIELD = 'Upstream';

/** The upstreams that a function calls. */
export function upstreamsOf(service: FunctionName): readonly UpstreamName[] {
  return UPSTREAM_NAMES.filter((name) => callsUpstream(service, name));
}
