import type { SkipReason } from '../domain/market.ts';

/** What a run counts; it becomes the metrics and the closing log line. */
export class RunReport {
  pages = 0;
  /** Oldest page of the crawl, by upstream's own word, in seconds. */
  catalogueAgeSeconds = 0;
  /** Parts of the catalogue that were read side by side; 0: page after page. */
  bands = 0;
  /** Whether the catalogue ignored the bounds of the bands. */
  bandsIgnored = false;
  /** Markets of the previous snapshot that came on no page, the calls that asked for them by id, and what these found. */
  unseen = 0;
  unseenCalls = 0;
  unseenCallsFailed = 0;
  unseenFound = 0;
  /** Markets that keep the facts of an earlier run: of the tail, or those of which nobody knows. */
  carried = 0;
  inactive = 0;
  duplicates = 0;
  readonly skipped: Partial<Record<SkipReason, number>> = {};
  historyBatches = 0;
  historyBatchesFailed = 0;
  /** Markets whose past upstream has told, which the memory keeps from now on. */
  marketsAskedFor = 0;
  /** Reads of the price memory that failed, and whether it could be written. */
  memoryReadsFailed = 0;
  memoryKept = true;
  /** Shares of the changes that are counted from prices which the service has seen itself, 0 to 1. */
  ownOneDay = 0;
  ownSevenDay = 0;
  ownThirtyDay = 0;
  midpointBatchesFailed = 0;
  cataloguePriced = 0;
  withOneDayChange = 0;
  markets = 0;

  skip(reason: SkipReason): void {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
  }

  get skippedTotal(): number {
    return Object.values(this.skipped).reduce((sum, count) => sum + count, 0);
  }
}
