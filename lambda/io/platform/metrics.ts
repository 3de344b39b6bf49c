/** The namespace of every metric of a stage. */
export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/**
 * The metrics of alarms and dashboard: name → unit. Each costs 0.30 USD a month, so other numbers of a run are fields
 * of its log line.
 */
export const METRICS = {
  /** Age of the newest snapshot at the end of each run of either kind, however the run ended. */
  SnapshotAge: 'Seconds',
  /** Share of the open catalogue records that a full run had to skip because it could not read them. */
  UnreadableMarkets: 'Percent',
  /** Requests served without a decision of the rate limit. Emitted only when there are any. */
  RateLimitUnavailable: 'Count',
  /** Responses with `upstream_busy`. Each run adds 0: an alarm subtracts it, and CloudWatch may not fill a metric without values. */
  UpstreamBusy: 'Count',
} as const satisfies Record<string, 'Seconds' | 'Count' | 'Percent'>;

export type MetricName = keyof typeof METRICS;

/** All functions share this dimension, so that each name is one metric. */
export const METRICS_SERVICE = 'market-data-proxy';
