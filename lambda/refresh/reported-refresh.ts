import type { Logger } from '@aws-lambda-powertools/logger';
import type { UpstreamName } from '../contract/metrics.ts';
import type { ServiceMetrics } from '../observability/telemetry.ts';
import type { CallCounter } from '../upstream/call-counter.ts';
import { type RefreshDependencies, type RefreshResult, refresh } from './refresh.ts';

export interface ReportedRefreshOptions extends Omit<RefreshDependencies, 'onProgress'> {
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly counters: Readonly<Record<UpstreamName, CallCounter>>;
}

/** Time kept for the metrics and the log line when the function's time runs out. */
const CLOSING_MS = 1_000;
/** Progress is logged whenever this many more markets have been kept. */
const PROGRESS_MARKETS = 500;

/** A refresh that tells the operator how it went: log lines and the metrics of the run. */
export function reportedRefresh(options: ReportedRefreshOptions) {
  const { logger, metrics, counters, clock, ...dependencies } = options;

  return async (remainingMs: number): Promise<void> => {
    const started = clock.now();
    let reported = 0;
    const onProgress = (markets: number) => {
      if (markets - reported < PROGRESS_MARKETS) return;
      reported = markets;
      logger.info('Refresh progress', { markets });
    };
    try {
      const result = await refresh(
        { ...dependencies, clock, onProgress },
        started + remainingMs - CLOSING_MS,
      );
      addRunMetrics(metrics, result);
      logResult(logger, result);
    } catch (error) {
      metrics.add('RefreshFailed', 1);
      metrics.add('RefreshDuration', clock.now() - started);
      logger.error('Refresh failed', { error: error as Error, durationMs: clock.now() - started });
      throw error;
    } finally {
      for (const upstream of ['gamma', 'clob'] as const)
        metrics.addUpstream(upstream, counters[upstream].take());
      metrics.flush();
    }
  };
}

function addRunMetrics(metrics: ServiceMetrics, result: RefreshResult): void {
  const { report } = result;
  const outcome = {
    published: 'RefreshPublished',
    superseded: 'RefreshSuperseded',
    shrunk: 'RefreshShrunk',
  } as const;
  metrics.add(outcome[result.outcome], 1);
  metrics.add('RefreshDuration', result.durationMs);
  metrics.add('MarketsListed', report.markets);
  metrics.add('MarketsSkipped', report.skippedTotal);
  metrics.add('MarketsCataloguePriced', report.cataloguePriced);
  metrics.add('CatalogueAge', report.catalogueAgeSeconds);
  if (report.markets > 0) {
    metrics.add('OneDayChangeCoverage', (100 * report.withOneDayChange) / report.markets);
  }
  if (result.outcome === 'published') {
    metrics.add('PublishLatency', result.publishMs);
    metrics.add('SnapshotBytes', result.bytes);
  }
}

function logResult(logger: Logger, result: RefreshResult): void {
  const { report, ...rest } = result;
  const { skipped, ...counts } = report;
  const keys = { ...rest, ...counts, skipped: report.skippedTotal, skippedBecauseOf: skipped };
  if (result.outcome === 'published') logger.info('Snapshot published', keys);
  else if (result.outcome === 'superseded') logger.info('Snapshot superseded by a newer one', keys);
  else logger.warn('Too few markets to believe in: not published', keys);
}
