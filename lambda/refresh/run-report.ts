import type { CatalogueRecord, SkipReason } from '../domain/market.ts';
import type { RunCounts } from '../domain/snapshot.ts';
import type { PublishResult } from '../snapshots/snapshot-writer.ts';

/** Protocol versions that the report names at most. */
const MAX_UNKNOWN_VERSIONS = 10;
/** Open markets with these reasons are new or unsuitable. With all other reasons the service cannot read the record. */
const READABLE: ReadonlySet<string> = new Set<SkipReason>(['ids_pending', 'end_date', 'too_long', 'price']);

/** A failure of a run. The message is one sentence for `/api/status`, without its full stop. */
export class RefreshError extends Error {
  override readonly name = 'RefreshError';
}

/** One snapshot that a run wrote: fields of its log line. */
interface Publication extends PublishResult, Pick<RunCounts, 'withOneDayChange' | 'cataloguePriced'> {
  readonly id: string;
  /** Unix ms. */
  readonly asOf: number;
  readonly markets: number;
  /** Milliseconds since the run began. */
  readonly afterMs: number;
}

/** The counts of one run: fields of its log line, and `/api/status`. */
export class RunReport {
  /** Pages of the catalogue, and how many bands were read side by side; 0 bands: page after page. */
  pages = 0;
  bands = 0;
  bandsIgnored = false;
  listable = 0;
  inactive = 0;
  duplicates = 0;
  /** Markets of the previous snapshot that no page showed, and those of them without a reliable response by id. */
  unseen = 0;
  unconfirmed = 0;
  midpointCalls = 0;
  midpointCallsFailed = 0;
  historyCalls = 0;
  historyCallsFailed = 0;
  /** Markets whose history the upstream gave. */
  historiesRecorded = 0;
  /** Whether the catalogue had too few markets to be published. */
  shrunk = false;
  /** Why a full run could not publish prices in place of its catalogue. */
  pricesError: unknown;
  readonly publications: Publication[] = [];
  readonly skippedByReason: Partial<Record<SkipReason, number>> = {};
  readonly unknownVersions: string[] = [];

  countRecords(records: readonly CatalogueRecord[]): void {
    for (const record of records) {
      if (record.kind === 'skipped') this.#countSkipped(record);
      else this[record.kind] += 1;
    }
  }

  /** Counts markets without any price. */
  countUnpriced(count: number): void {
    if (count > 0) this.skippedByReason.price = (this.skippedByReason.price ?? 0) + count;
  }

  get skipped(): number {
    return Object.values(this.skippedByReason).reduce((sum, count) => sum + count, 0);
  }

  /** Share of the open records that cannot be read; undefined when no record was read. */
  get unreadablePercent(): number | undefined {
    // Markets without a price are among the listable ones.
    const open = this.listable + this.skipped - (this.skippedByReason.price ?? 0);
    const unreadable = Object.entries(this.skippedByReason).filter(([reason]) => !READABLE.has(reason));
    return open === 0 ? undefined : (100 * unreadable.reduce((sum, [, count]) => sum + count, 0)) / open;
  }

  #countSkipped({ reason, version }: Extract<CatalogueRecord, { kind: 'skipped' }>): void {
    this.skippedByReason[reason] = (this.skippedByReason[reason] ?? 0) + 1;
    const isNew = version !== undefined && !this.unknownVersions.includes(version);
    if (isNew && this.unknownVersions.length < MAX_UNKNOWN_VERSIONS) this.unknownVersions.push(version);
  }
}
