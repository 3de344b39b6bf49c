import type { PricePoint } from '../domain/change.ts';
import type { CatalogueRecord } from '../domain/market.ts';
import type { Snapshot, SnapshotEntry, SnapshotInfo } from '../domain/snapshot.ts';

/** What a refresh asks of the world. Deadlines are absolute, in ms of the run's clock. */
export interface Catalogue {
  /**
   * A page by volume, highest first; with a bound the markets of at least that volume in USD, lowest first.
   */
  page(cursor: string | undefined, deadline: number, atLeast?: number): Promise<CataloguePage>;
}

export interface CataloguePage {
  readonly records: readonly CatalogueRecord[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
  /** How long the page has lain in the upstream's shared cache. */
  readonly ageSeconds?: number;
}

/** A stretch of time in Unix seconds and the minutes between points. */
export interface HistoryRange {
  readonly start: number;
  readonly end: number;
  readonly fidelity: number;
}

/** Price histories, whichever of upstream's routes gives them. */
export interface PriceHistories {
  /**
   * The histories of any number of tokens. One that upstream does not know has an empty history; one that is missing
   * could not be read before the deadline.
   *
   * @throws when not a single one could be read
   */
  histories(
    tokens: readonly string[],
    range: HistoryRange,
    deadline: number,
  ): Promise<ReadonlyMap<string, readonly PricePoint[]>>;
}

export interface Prices extends PriceHistories {
  /** Midpoints 0..1 of at most 500 tokens; tokens without a usable one are missing. */
  midpoints(tokens: readonly string[], deadline: number): Promise<ReadonlyMap<string, number>>;
}

/** What the store remembers of the newest snapshot and of runs that did not dare to replace it. */
export interface Published extends SnapshotInfo {
  /** Runs in a row that found fewer than half the markets and did not publish. */
  readonly shrunkRuns: number;
}

export interface SnapshotPublisher {
  latest(deadline: number): Promise<Published | undefined>;
  /** The newest snapshot with its markets, in list order. */
  newest(
    deadline: number,
  ): Promise<{ readonly published: Published; readonly entries: readonly SnapshotEntry[] } | undefined>;
  /** A base where one is due, the chunks, then the pointer. `superseded`: a newer snapshot is there already. */
  publish(
    snapshot: Snapshot,
    deadline: number,
  ): Promise<{ outcome: 'published' | 'superseded'; bytes: number; chunks: number }>;
  /** Counts one more run that found too few markets, unless another snapshot has been published since. */
  recordShrunkRun(published: Published, deadline: number): Promise<void>;
}
