/** The namespace of every metric the functions emit; alarms and dashboard read the same names. */
export const METRICS_NAMESPACE = 'MarketDataProxy';

/** Name → unit of every metric. A metric that is emitted under another name does not compile. */
export const METRICS = {
  /** Refresh: one value a run. */
  RefreshPublished: 'Count',
  RefreshSuperseded: 'Count',
  RefreshShrunk: 'Count',
  RefreshFailed: 'Count',
  RefreshDuration: 'Milliseconds',
  /** Age of the newest snapshot at the end of a run, however the run went. Missing where it cannot be read. */
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

/** The dimension that parts upstream metrics. */
export const UPSTREAM_DIMENSION = 'Upstream';
export type UpstreamName = 'gamma' | 'clob';
