import type { ChangeWindow, PricePoint } from '../domain/change.ts';
import type { CatalogueRecord } from '../domain/market.ts';
import type { Snapshot, SnapshotEntry, SnapshotInfo } from '../domain/snapshot.ts';

/** What a refresh asks of the upstreams. Deadlines are absolute, in ms of the run's clock. */
export interface Catalogue {
  /**
   * A page by volume, highest first; with a bound the markets of at least that volume in USD, lowest first.
   */
  page(cursor: string | undefined, deadline: number, atLeast?: number): Promise<CataloguePage>;
  /** The open ones of some markets, at most 40, by their condition ids in either form. */
  find(ids: readonly string[], deadline: number): Promise<readonly CatalogueRecord[]>;
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
  /** Tokens that a call takes on the route that will be tried first. @default 20, as the batch route */
  readonly tokensPerCall?: number;
}

/** What upstream is asked for of the time before the service knew a market: a day and a half, and the month before. */
export type PastKind = 'day' | 'month';

/** A market's price at the start of a window, 0..1; `own`: the service has seen it itself. */
export interface Baseline {
  readonly price: number;
  readonly own: boolean;
}

/** The service's own memory of prices. Nothing here throws: without its store it knows what it knew, or nothing. */
export interface PriceMemory {
  /** Ms: the first prices that were kept; undefined before. */
  readonly since: number | undefined;
  /** Makes ready what a run that begins `now` (ms) may ask for. @returns how many reads failed */
  open(now: number, deadline: number): Promise<number>;
  /** @param asOf end of the window, ms */
  baseline(token: string, window: ChangeWindow, asOf: number): Baseline | undefined;
  /** Whether upstream would know something that the memory does not, and has not been asked for it. @param now ms */
  wants(kind: PastKind, token: string, now: number): boolean;
  /** Takes in what upstream has told. @param until Unix seconds: up to when it was asked */
  learn(kind: PastKind, histories: ReadonlyMap<string, readonly PricePoint[]>, until: number): void;
  /** Stores prices of `asOf` (ms) by token where a sample is due, and what was learnt. @returns whether all is stored */
  keep(asOf: number, prices: ReadonlyMap<string, number>, deadline: number): Promise<boolean>;
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

/** The calls of one upstream since the last reading. */
export interface CallCounts {
  take(): Readonly<
    Record<'UpstreamCalls' | 'UpstreamRetries' | 'UpstreamFailures' | 'UpstreamBlocked', number>
  >;
  /** How far our clock is ahead of the upstream's; undefined when no response told. */
  takeClockSkewMs(): number | undefined;
}
