export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/** Each metric costs 0.30 USD a month, so other numbers of a run are fields of its log line. */
export const METRICS = {
  /** At the end of each run, even a failed one. */
  SnapshotAge: 'Seconds',
  /** Share of the open catalogue records that a full run could not read. */
  UnreadableMarkets: 'Percent',
  /** Requests served without a rate limit decision. */
  RateLimitUnavailable: 'Count',
  /**
   * Responses with `upstream_busy`. Each run adds 0, because CloudWatch cannot fill a metric without values for an
   * alarm.
   */
  UpstreamBusy: 'Count',
} as const satisfies Record<string, 'Seconds' | 'Count' | 'Percent'>;

export type MetricName = keyof typeof METRICS;

export const METRICS_SERVICE = 'market-data-proxy';
