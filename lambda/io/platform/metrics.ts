export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/**
 * A metric costs 0.30 USD a month while it gets values. These get none in a healthy stage. Other numbers of a run are
 * fields of its log line.
 */
export const METRICS = {
  /** Responses with `internal_error`, which no caller and no upstream causes. */
  InternalErrors: 'Count',
  /** Share of the open catalogue records that a full run could not read, above `MAX_UNREADABLE_PERCENT`. */
  UnreadableMarkets: 'Percent',
  /** Snapshots that `hasManyFallbacks` describes. */
  DegradedSnapshots: 'Count',
  /** Requests served without a decision of the rate limit. */
  RateLimitUnavailable: 'Count',
} as const satisfies Record<string, 'Count' | 'Percent'>;

export type MetricName = keyof typeof METRICS;

export const METRICS_SERVICE = 'market-data-proxy';
