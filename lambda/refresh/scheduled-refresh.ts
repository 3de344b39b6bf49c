import { ageSeconds } from '../domain/freshness.ts';
import type { Log, ServiceMetrics } from '../platform/telemetry.ts';
import type { SnapshotWriter } from '../snapshots/snapshot-writer.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { type RefreshDependencies, type RunKind, runRefresh } from './refresh.ts';
import { RefreshError, RunReport } from './run-report.ts';

export interface ScheduledRefreshOptions extends RefreshDependencies {
  readonly writer: RefreshDependencies['writer'] & Pick<SnapshotWriter, 'recordFailure'>;
  readonly logger: Log;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
  /** Failed upstream requests since the last call, for the log line. */
  readonly takeUpstreamFailures: () => Readonly<Record<string, number>>;
}

type Failure = { readonly error: unknown } | undefined;

/** Time that a run leaves for its metrics, its log line and the record of its failure. */
const CLOSING_MS = 2_000;
/** Each call to the table in that time. */
const CLOSING_CALL_MS = 800;

/** Runs the refresh and reports each run: one log line, the metrics, and its failure while there is no snapshot. */
export class ScheduledRefresh {
  readonly #options: ScheduledRefreshOptions;
  readonly #running = new Map<RunKind, Promise<void>>();
  /** When the first of the failed runs ended, Unix ms. */
  #failingSince: number | undefined;

  constructor(options: ScheduledRefreshOptions) {
    this.#options = options;
  }

  /**
   * One run. While a run of the same kind is under way in this process, its result is the result.
   *
   * @param remainingMs how long the run may take
   * @throws what the run throws, so that Lambda counts the failure
   */
  run(kind: RunKind, remainingMs: number): Promise<void> {
    const run = this.#running.get(kind) ?? this.#run(kind, remainingMs).finally(() => this.#running.delete(kind));
    this.#running.set(kind, run);
    return run;
  }

  async #run(kind: RunKind, remainingMs: number): Promise<void> {
    const { clock, metrics } = this.#options;
    const started = clock.now();
    const report = new RunReport();
    let failure: Failure;
    try {
      await runRefresh(kind, this.#options, started + remainingMs - CLOSING_MS, report);
    } catch (error) {
      failure = { error };
    }
    this.#log(kind, report, clock.now() - started, failure);
    if (report.unreadablePercent !== undefined) metrics.add('UnreadableMarkets', report.unreadablePercent);
    await this.#reportAge(report, failure);
    metrics.flush();
    if (failure) throw failure.error;
  }

  /** Reports the age of the newest snapshot of any run. Without a snapshot, stores the reason of the failure. */
  async #reportAge(report: RunReport, failure: Failure): Promise<void> {
    const { clock, metrics, writer, logger } = this.#options;
    const published = report.publications.findLast(({ outcome }) => outcome === 'published');
    const newest = await writer.newest(clock.now() + CLOSING_CALL_MS).catch(() => undefined);
    const asOf = newest?.info.asOf ?? published?.asOf;
    const now = clock.now();
    const age = asOf === undefined ? Number.POSITIVE_INFINITY : ageSeconds(asOf, now);
    // Without a value the alarm rings, as it must for a time that cannot be right.
    if (Number.isFinite(age)) metrics.add('SnapshotAge', age);
    this.#failingSince = failure ? (this.#failingSince ?? now) : undefined;
    if (asOf !== undefined || !failure) return;
    try {
      const record = { since: this.#failingSince ?? now, at: now, reason: reasonOf(failure.error) };
      await writer.recordFailure(record, now + CLOSING_CALL_MS);
    } catch (error) {
      logger.warn('The reason of the failure could not be stored', { error });
    }
  }

  #log(kind: RunKind, report: RunReport, durationMs: number, failure: Failure): void {
    const { logger, takeUpstreamFailures } = this.#options;
    const { publications, ...counts } = report;
    const last = publications.at(-1);
    const upstreamFailures = takeUpstreamFailures();
    const fields = { kind, ...last, ...counts, skipped: report.skipped, upstreamFailures, durationMs };
    if (failure) logger.error('Refresh failed', { ...fields, error: failure.error });
    else if (report.shrunk) logger.warn('The catalogue has too few markets to be published', fields);
    else if (last?.outcome === 'published') logger.info('Snapshot published', fields);
    else logger.info('Another run has published a newer snapshot', fields);
  }
}

/** One sentence without internals: `/api/status` is public. */
function reasonOf(error: unknown): string {
  if (error instanceof RefreshError) return `${error.message}.`;
  if (error instanceof UpstreamError) return `The upstream does not respond as expected (${error.message}).`;
  return 'The refresh failed with an internal error.';
}
