export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/** Each metric costs 0.30 USD a month, so other numbers of a run are fields of its log line. */
export const METRICS = {
  /** At the end of each run, even a failed one. */
  SnapshotAge: 'Seconds',
  /** Share of the open catalogue records that a full run could not read. */
  UnreadableMarkets: 'Percent',
  /** Snapshots that `hasManyFallbacks` describes. Emitted only when there are any. */
  DegradedSnapshots: 'Count',
  /** Requests served without a decision of the rate limit. Emitted only when there are any. */
  RateLimitUnavailable: 'Count',
  /**
   * Responses with `upstream_busy`. An alarm subtracts them, and CloudWatch may not fill a metric without values, so
   * each run adds 0.
   */
  UpstreamBusy: 'Count',
} as const satisfies Record<string, 'Seconds' | 'Count' | 'Percent'>;

export type MetricName = keyof typeof METRICS;

export const METRICS_SERVICE = 'market-data-proxy';
