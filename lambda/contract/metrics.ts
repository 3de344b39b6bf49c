import { ENVIRONMENT, type FunctionName } from './environment.ts';
import { functionsWhere } from './routes.ts';
import { UPSTREAM_NAMES, UPSTREAMS, type UpstreamName } from './upstreams.ts';

/** The namespace of every metric of a stage; alarms and dashboard read the same names. */
export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/** Name → unit of every metric. A metric that is emitted under another name does not compile. */
export const METRICS = {
  /** Refresh: one value a full run. */
  RefreshPublished: 'Count',
  RefreshSuperseded: 'Count',
  RefreshShrunk: 'Count',
  RefreshFailed: 'Count',
  RefreshDuration: 'Milliseconds',
  /** Runs for the prices alone, between two full ones. */
  PricesPublished: 'Count',
  PricesFailed: 'Count',
  /** Age of the newest snapshot at the end of a run of either kind, however it went. Missing where it cannot be read. */
  SnapshotAge: 'Seconds',
  /** How far this clock is ahead of the upstream's (negative: behind), within a second. */
  ClockSkew: 'Seconds',
  /** From reading the prices to the published pointer. */
  PublishLatency: 'Milliseconds',
  SnapshotBytes: 'Bytes',
  MarketsListed: 'Count',
  MarketsSkipped: 'Count',
  MarketsCataloguePriced: 'Count',
  /** Share of the listed markets with a 1-day change. */
  OneDayChangeCoverage: 'Percent',
  /** Oldest page of the crawl in the upstream's cache. */
  CatalogueAge: 'Seconds',
  /** Upstream calls, with the dimension Upstream. */
  UpstreamCalls: 'Count',
  UpstreamRetries: 'Count',
  UpstreamFailures: 'Count',
  UpstreamBlocked: 'Count',
  /** Readers. */
  SnapshotLoadFailed: 'Count',
  /** Requests that the per-IP limit refused. */
  RateLimitRefused: 'Count',
  /** Requests that were served uncounted, or not taken back when refused, since the table failed. */
  RateLimitUnavailable: 'Count',
} as const;

export type MetricName = keyof typeof METRICS;

const REFRESHER = ['refresh-snapshot'] as const;
const COUNTED = functionsWhere(({ counted }) => counted);
const SNAPSHOT_HOLDERS = functionsWhere(({ source, counted }) => source === 'snapshot' && counted);
const LIVE_READERS = functionsWhere(({ source }) => source === 'clob');

/**
 * The functions that emit each metric, under the dimension `service`. Whoever reads a metric of several functions
 * adds them up; a test holds the table against what the handlers use.
 */
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
  MarketsSkipped: REFRESHER,
  MarketsCataloguePriced: REFRESHER,
  OneDayChangeCoverage: REFRESHER,
  CatalogueAge: REFRESHER,
  UpstreamCalls: [...REFRESHER, ...LIVE_READERS],
  UpstreamRetries: [...REFRESHER, ...LIVE_READERS],
  UpstreamFailures: [...REFRESHER, ...LIVE_READERS],
  UpstreamBlocked: [...REFRESHER, ...LIVE_READERS],
  SnapshotLoadFailed: SNAPSHOT_HOLDERS,
  RateLimitRefused: COUNTED,
  RateLimitUnavailable: COUNTED,
};

/** The dimension that names the function: Powertools' own. */
export const SERVICE_DIMENSION = 'service';

/** The dimension that parts upstream metrics. */
export const UPSTREAM_DIMENSION = 'Upstream';

/** The upstreams that a function calls. */
export function upstreamsOf(service: FunctionName): readonly UpstreamName[] {
  return UPSTREAM_NAMES.filter((name) => UPSTREAMS[name].variable in ENVIRONMENT[service]);
}
