/**
 * What a schedule starts: a run of the refresher, which publishes a snapshot of all markets. This
 * file adds the run's log line, its metrics, and the reason of a failure for `/api/status`.
 */
import { MAX_UNREADABLE_PERCENT } from '../../core/contract/constants.ts';
import { hasManyFallbacks } from '../../core/domain/degradation.ts';
import { countSkipped } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { Log, ServiceMetrics } from '../../io/platform/telemetry.ts';
import type { SnapshotWriter } from '../../io/snapshots/snapshot-writer.ts';
import { UpstreamError } from '../../io/upstream/upstream-error.ts';
import { type RunKind, runRefresh } from './refresh.ts';
import type { RefreshDependencies } from './run.ts';
import { RefreshError, type RunResult, unreadablePercent } from './run-result.ts';
import { TIMEOUTS } from './timeouts.ts';

interface ScheduledRefreshOptions extends RefreshDependencies {
  readonly writer: RefreshDependencies['writer'] & Pick<SnapshotWriter, 'recordFailure'>;
  readonly logger: Log;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
  /** Why the latest attempt to read the catalogue failed. */
  readonly latestFailure: () => UpstreamError | undefined;
}

// Sentences for `/api/status`.
const UNPRICED = 'CLOB gave no price, so the run published the prices of the catalogue';
const RUNNING = 'The refresh is still running.';
const NO_FAILURE = 'The upstream responds slowly or not at all.';

/**
 * Runs the refresh for the schedules. Writes one log line and the metrics per run. While there is
 * no snapshot, stores the reason for `/api/status`.
 */
export class ScheduledRefresh {
  readonly #options: ScheduledRefreshOptions;
  readonly #running = new Map<RunKind, Promise<void>>();
  /** When the first failed run of the outage began. */
  #failingSince: UnixMs | undefined;
  /** Whether there was a snapshot at the end of the last run. */
  #hasData = false;

  constructor(options: ScheduledRefreshOptions) {
    this.#options = options;
  }

  /**
   * Runs once. Parallel runs of a kind in this process share one result.
   *
   * @param remainingMs how long the run may take
   * @throws the run's error, so that Lambda counts the failure
   */
  run(kind: RunKind, remainingMs: number): Promise<void> {
    const run =
      this.#running.get(kind) ??
      this.#run(kind, remainingMs).finally(() => this.#running.delete(kind));
    this.#running.set(kind, run);
    return run;
  }

  async #run(kind: RunKind, remainingMs: number): Promise<void> {
    const { clock, metrics } = this.#options;
    const started = clock.now();
    const cancelSlowStart = clock.after(TIMEOUTS.slowStartMs, () => {
      if (!this.#hasData) void this.#recordReason(started, this.#slowReason());
    });
    const deadline = started + remainingMs - TIMEOUTS.closingMs;
    const result = await runRefresh(kind, this.#options, deadline);
    cancelSlowStart();
    const error = errorOf(result);
    this.#failingSince = error ? (this.#failingSince ?? started) : undefined;
    this.#log(kind, result, clock.now() - started);
    this.#addMetrics(result);
    this.#hasData = await this.#hasSnapshot(result);
    if (error && !this.#hasData) await this.#recordReason(started, reasonOf(error));
    metrics.flush();
    if (error) throw error;
  }

  /** Adds the metrics that are not 0. A metric without values is free. */
  #addMetrics(result: RunResult): void {
    const { metrics } = this.#options;
    const missing = missingPercent(result);
    if (missing > 0) metrics.add('MissingMarkets', missing);
    const published = result.publications.filter(({ outcome }) => outcome === 'published');
    const degraded = published.filter(({ bySource }) => hasManyFallbacks(bySource)).length;
    if (degraded > 0) metrics.add('DegradedSnapshots', degraded);
  }

  /** Why a run that has not ended has no data yet. */
  #slowReason(): string {
    const failure = this.#options.latestFailure();
    return `${RUNNING} ${failure ? reasonOf(failure) : NO_FAILURE}`;
  }

  /** Whether there is a snapshot after the run. */
  async #hasSnapshot({ publications }: RunResult): Promise<boolean> {
    const { clock, writer } = this.#options;
    if (publications.some(({ outcome }) => outcome === 'published')) return true;
    const deadline = clock.now() + TIMEOUTS.closingCallMs;
    const newest = await writer.newest(deadline).catch(() => undefined);
    return newest !== undefined;
  }

  /**
   * Stores why there is no data. `/api/status` reads the reason only while there is no snapshot.
   * Never throws.
   */
  async #recordReason(started: UnixMs, reason: string): Promise<void> {
    const { clock, writer, logger } = this.#options;
    const now = clock.now();
    try {
      const record = { since: this.#failingSince ?? started, at: now, reason };
      await writer.recordFailure(record, now + TIMEOUTS.closingCallMs);
    } catch (error) {
      logger.warn('The refresher could not store the reason of its failure', { error });
    }
  }

  /** Writes the log line of a run. Alarms and saved queries find it by its message. */
  #log(kind: RunKind, result: RunResult, durationMs: number): void {
    const { outcome, publications, pricesError } = result;
    const { logger } = this.#options;
    const { catalogue, histories } = countsOf(result);
    const last = publications.at(-1);
    const fields = {
      kind,
      ...last,
      ...catalogue,
      ...histories,
      skipped: catalogue && countSkipped(catalogue.skippedByReason),
      publications: publications.length,
      pricesError,
      durationMs,
    };
    const error = errorOf(result);
    if (error) logger.error('Refresh failed', { ...fields, error });
    else if (outcome.kind === 'shrunk')
      logger.warn('The catalogue has too few markets to be published', fields);
    else if (last?.outcome !== 'published')
      logger.info('Another run has published a newer snapshot', fields);
    else if (last.missing)
      logger.warn('Snapshot published without markets that it should have', fields);
    else logger.info('Snapshot published', fields);
  }
}

/**
 * The error of a run. An `unpriced` run, which got no prices from CLOB, counts as failed: readers get
 * prices that are minutes old, so the alarm must fire.
 */
function errorOf({ outcome }: RunResult): unknown {
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.kind === 'unpriced' ? new RefreshError(UNPRICED) : undefined;
}

/** The counts of a run; undefined if it did not get that far. */
function countsOf({ outcome }: RunResult) {
  return {
    catalogue: 'catalogue' in outcome ? outcome.catalogue : undefined,
    histories: 'histories' in outcome ? outcome.histories : undefined,
  };
}

/**
 * The value of the metric `MissingMarkets`: the percentage of unreadable markets, if it is above 5,
 * or of those that a list lacks (a publication has `missing` if it is above 20); the larger one. It
 * is 0 in a healthy run.
 */
function missingPercent(result: RunResult): number {
  const { catalogue } = countsOf(result);
  const unreadable = (catalogue && unreadablePercent(catalogue)) ?? 0;
  let percent = unreadable > MAX_UNREADABLE_PERCENT ? unreadable : 0;
  for (const { missing } of result.publications)
    if (missing) percent = Math.max(percent, (100 * missing.markets) / missing.expected);
  return percent;
}

/** An error as one sentence without internals, because `/api/status` is public. */
function reasonOf(error: unknown): string {
  if (error instanceof RefreshError) return `${error.message}.`;
  if (error instanceof UpstreamError)
    return `The upstream does not respond as expected (${error.message}).`;
  return 'The refresh failed with an internal error.';
}
