import {
  CLOCK_SKEW_REPORTED_SECONDS,
  FEW_CHANGES_PERCENT,
  FEW_MARKETS_SHARE,
} from '../contract/constants.ts';
import type { RunKind } from '../contract/run-kind.ts';
import { UPSTREAM_NAMES, UPSTREAMS, type UpstreamName } from '../contract/upstreams.ts';
import { ageSeconds } from '../domain/freshness.ts';
import type { Log } from '../platform/log.ts';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import type { CallCounts } from './ports.ts';
import type { RefreshDependencies, RefreshResult } from './refresh.ts';
import { scheduledRun } from './scheduled-run.ts';

export interface ReportedRefreshOptions extends Omit<RefreshDependencies, 'onProgress'> {
  readonly logger: Log;
  readonly metrics: ServiceMetrics;
  readonly counters: Readonly<Record<UpstreamName, CallCounts>>;
}

/** Time kept for the metrics and the log line when the function's time runs out. */
const CLOSING_MS = 1_000;
/** The part of it in which a run that did not publish may look how old the data has become. */
const LOOK_MS = 700;
/** Progress is logged whenever this many more markets have been kept. */
const PROGRESS_MARKETS = 500;

/** A refresh that tells the operator how it went: log lines and the metrics of the run. */
export function reportedRefresh(options: ReportedRefreshOptions) {
  const { logger, metrics, counters, clock, ...dependencies } = options;

  return async (remainingMs: number, kind: RunKind = 'full'): Promise<void> => {
    const started = clock.now();
    let published: RefreshResult | undefined;
    let reported = 0;
    const onProgress = (markets: number) => {
      if (markets - reported < PROGRESS_MARKETS) return;
      reported = markets;
      logger.info('Refresh progress', { markets });
    };
    const failed = (error: unknown) => {
      const durationMs = clock.now() - started;
      if (kind === 'prices') metrics.add('PricesFailed', 1);
      else {
        metrics.add('RefreshFailed', 1);
        metrics.add('RefreshDuration', durationMs);
      }
      logger.error('Refresh failed', { kind, error: error as Error, durationMs });
      throw error;
    };
    try {
      const end = started + remainingMs - CLOSING_MS;
      const { full, prices } = await scheduledRun(
        kind,
        { ...dependencies, clock, onProgress },
        end,
        reportEnd,
      );
      if (full && 'result' in full) {
        if (full.result.outcome === 'published') published = full.result;
        addRunMetrics(metrics, full.result, dependencies.maxMarkets);
      }
      if (prices && 'result' in prices) {
        if (prices.result.outcome === 'published') published = prices.result;
        addPriceMetrics(metrics, prices.result);
      } else if (prices && full) {
        const either = 'error' in full ? ' either' : '';
        logger.warn(`The prices could not be read anew${either}`, { error: prices.error as Error });
      }
      const ended = full ?? prices;
      if (ended && 'error' in ended) failed(ended.error);
    } finally {
      const age = published ? published.publishMs / 1_000 : await newestAge();
      if (age !== undefined) metrics.add('SnapshotAge', age);
      reportClockSkew();
      reportCalls();
      metrics.flush();
    }
  };

  function reportEnd(kind: RunKind, result: RefreshResult): void {
    const { memoryKept, memoryReadsFailed } = result.report;
    if (!memoryKept || memoryReadsFailed > 0) metrics.add('PriceMemoryFailed', 1);
    logResult(logger, kind, result);
  }

  /** Seconds; undefined when there is no snapshot, or nobody can tell: the alarm takes a missing value for a bad one. */
  async function newestAge(): Promise<number | undefined> {
    try {
      const newest = await dependencies.publisher.latest(clock.now() + LOOK_MS);
      const age = newest && ageSeconds(newest.asOf, clock.now());
      return Number.isFinite(age) ? age : undefined;
    } catch (error) {
      logger.warn('The age of the newest snapshot cannot be read', { error: error as Error });
      return undefined;
    }
  }

  /** An upstream on standby costs no metrics while nobody asks it. */
  function reportCalls(): void {
    for (const upstream of UPSTREAM_NAMES) {
      const counts = counters[upstream].take();
      const asked = counts.UpstreamCalls > 0 || counts.UpstreamFailures > 0;
      if (asked || !UPSTREAMS[upstream].standby) metrics.addUpstream(upstream, counts);
    }
  }

  /** The time of a snapshot is this clock's word, and the readers believe it (docs/adr/0006-faults.md). */
  function reportClockSkew(): void {
    const skewMs = counters.clob.takeClockSkewMs();
    if (skewMs === undefined) return;
    metrics.add('ClockSkew', skewMs / 1_000);
    if (Math.abs(skewMs) > CLOCK_SKEW_REPORTED_SECONDS * 1_000) {
      logger.warn('The clock differs from the upstream clock', { skewMs });
    }
  }
}

/** @param maxMarkets that a snapshot holds: there are more of them upstream */
function addRunMetrics(metrics: ServiceMetrics, result: RefreshResult, maxMarkets: number): void {
  const { report } = result;
  const outcome = {
    published: 'RefreshPublished',
    superseded: 'RefreshSuperseded',
    shrunk: 'RefreshShrunk',
  } as const;
  metrics.add(outcome[result.outcome], 1);
  metrics.add('RefreshDuration', result.durationMs);
  metrics.add('MarketsListed', report.markets);
  if (report.markets < Math.floor(maxMarkets * FEW_MARKETS_SHARE)) metrics.add('RunsWithFewMarkets', 1);
  metrics.add('MarketsSkipped', report.skippedTotal);
  metrics.add('MarketsCataloguePriced', report.cataloguePriced);
  metrics.add('CatalogueAge', report.catalogueAgeSeconds);
  if (report.markets > 0) {
    metrics.add('OwnOneDayChanges', 100 * report.ownOneDay);
    const coverage = (100 * report.withOneDayChange) / report.markets;
    metrics.add('OneDayChangeCoverage', coverage);
    if (coverage < FEW_CHANGES_PERCENT) metrics.add('RunsWithFewChanges', 1);
  }
  if (result.outcome === 'published') {
    metrics.add('PublishLatency', result.publishMs);
    metrics.add('SnapshotBytes', result.bytes);
  }
}

function addPriceMetrics(metrics: ServiceMetrics, { outcome, publishMs }: RefreshResult): void {
  if (outcome !== 'published') return;
  metrics.add('PricesPublished', 1);
  metrics.add('PublishLatency', publishMs);
}

function logResult(logger: Log, kind: RunKind, result: RefreshResult): void {
  const { report, ...rest } = result;
  const { skipped, ...counts } = report;
  const keys = { kind, ...rest, ...counts, skipped: report.skippedTotal, skippedBecauseOf: skipped };
  if (result.outcome === 'published') logger.info('Snapshot published', keys);
  else if (result.outcome === 'superseded') logger.info('Snapshot superseded by a newer one', keys);
  else logger.warn('Too few markets to believe in: not published', keys);
}
