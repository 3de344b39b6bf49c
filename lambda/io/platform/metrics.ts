export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/**
 * A metric costs 0.30 USD a month while it gets values. So all but the age get none in a healthy stage, and other numbers
 * of a run are fields of its log line.
 */
export const METRICS = {
  /** At the end of each run, even a failed one. */
  SnapshotAge: 'Seconds',
  /** Share of the open catalogue records that a full run could not read, above `MAX_UNREADABLE_PERCENT`. */
  UnreadableMarkets: 'Percent',
  /** Snapshots that `hasManyFallbacks` describes. */
  DegradedSnapshots: 'Count',
  /** Requests served without a decision of the rate limit. */
  RateLimitUnavailable: 'Count',
} as const satisfies Record<string, 'Seconds' | 'Count' | 'Percent'>;

export type MetricName = keyof typeof METRICS;

export const METRICS_SERVICE = 'market-data-proxy';
