/** The namespace of a stage's metrics in CloudWatch. */
export function metricsNamespace(stage: string): string {
  return `MarketDataProxy/${stage}`;
}

/**
 * The metrics of alarms and dashboard, with their units. A metric costs 0.30 USD in a month with
 * values; these have none in a healthy stage. Other numbers of a run are fields of its log line.
 */
export const METRICS = {
  /** Responses with `internal_error`, which no caller and no upstream causes. */
  InternalErrors: 'Count',
  /**
   * Percentage of the markets that the list should have and lacks: those that a full run could not
   * read, if they are more than 5 %, or those that the catalogue hides, if they are more than 20 %.
   */
  MissingMarkets: 'Percent',
  /** Snapshots in which too many prices are not from CLOB (`hasManyFallbacks`). */
  DegradedSnapshots: 'Count',
  /** Requests served without a decision of the rate limit. */
  RateLimitUnavailable: 'Count',
} as const satisfies Record<string, 'Count' | 'Percent'>;

export type MetricName = keyof typeof METRICS;

/** All functions share this dimension, so that each name is one metric. */
export const METRICS_SERVICE = 'market-data-proxy';
