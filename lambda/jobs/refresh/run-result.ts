/**
 * What a run of the refresher did, in outcomes and numbers. The numbers of a crawl also show whether
 * it could read the catalogue. A record is a market as the catalogue has it.
 */
import type { CatalogueRecord } from '../../core/domain/market.ts';
import {
  countSkipped,
  type MissingCounts,
  type RunCounts,
  type SkipReason,
} from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { PublishResult } from '../../io/snapshots/snapshot-writer.ts';
import type { HistoryCounts } from './history-requests.ts';

/** A failure of a run. The message is a sentence for `/api/status`, without its full stop. */
export class RefreshError extends Error {
  override readonly name = 'RefreshError';
}

/** What a run did, for the log, the metrics and `/api/status`. */
export interface RunResult {
  readonly outcome: RunOutcome;
  /** Oldest prices first. A full run with a late or unusable catalogue publishes several. */
  readonly publications: readonly Publication[];
  /** Why a full run with an unusable catalogue could not publish prices. */
  readonly pricesError?: unknown;
}

/**
 * - `prices`: the run published new prices of the known markets.
 * - `catalogue`: it published a new catalogue with prices of CLOB.
 * - `unpriced`: CLOB gave no prices, so it published the prices of the catalogue.
 * - `shrunk`: the catalogue has too few markets to be published.
 */
type RunOutcome =
  | { readonly kind: 'prices' }
  | {
      readonly kind: 'catalogue' | 'unpriced';
      readonly catalogue: CatalogueCounts;
      readonly histories: HistoryCounts;
    }
  | { readonly kind: 'shrunk'; readonly catalogue: CatalogueCounts }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A snapshot that a run tried to publish, in numbers. */
export interface Publication
  extends PublishResult,
    Pick<RunCounts, 'withOneDayChange' | 'bySource'> {
  readonly id: string;
  readonly asOf: UnixMs;
  readonly markets: number;
  readonly missing?: MissingCounts;
  /** Milliseconds from the start of the run. */
  readonly afterMs: number;
}

/** A crawl in numbers. */
export interface CatalogueCounts {
  readonly pages: number;
  /** Bands (ranges of volume) that the crawl read at once. 0: it read page after page. */
  readonly bands: number;
  readonly listable: number;
  readonly inactive: number;
  /**
   * Markets of the previous snapshot that no page contained. `unconfirmed` counts those of them
   * without a reliable response by id.
   */
  readonly notSeen: number;
  readonly unconfirmed: number;
  readonly skippedByReason: SkippedByReason;
  readonly unknownVersions: readonly string[];
}

type SkippedByReason = RunCounts['skippedByReason'];

/** The status names at most this many unsupported protocol versions. */
const MAX_UNKNOWN_VERSIONS = 10;

/** Counts the records of a crawl by kind, and the skipped ones by reason. */
export function countRecords(records: readonly CatalogueRecord[]) {
  const skipped = records.filter((record) => record.kind === 'skipped');
  const skippedByReason: Partial<Record<SkipReason, number>> = {};
  for (const { reason } of skipped) skippedByReason[reason] = (skippedByReason[reason] ?? 0) + 1;
  const versions = new Set(skipped.flatMap(({ version }) => version ?? []));
  return {
    listable: records.filter(({ kind }) => kind === 'listable').length,
    inactive: records.filter(({ kind }) => kind === 'inactive').length,
    skippedByReason,
    unknownVersions: [...versions].slice(0, MAX_UNKNOWN_VERSIONS),
  };
}

/**
 * Details that most records must have. If upstream renamed one of them, records could not be
 * listed, or most markets would show 0 or nothing.
 */
const NEEDED_DETAILS: Readonly<Record<string, (record: CatalogueRecord) => boolean>> = {
  question: lacks('question'),
  'end date': lacks('end_date'),
  ids: lacks(
    'condition_id',
    'ids_pending',
    'ids_count',
    'ids_malformed',
    'version_missing',
    'version_unknown',
  ),
  volume: (record) => record.kind === 'listable' && record.lacksVolume === true,
  'outcome price': (record) =>
    record.kind === 'listable' && record.market.catalogue.outcome === undefined,
};

/** Makes a test for records that were skipped for one of these reasons. */
function lacks(...reasons: readonly SkipReason[]) {
  return (record: CatalogueRecord): boolean =>
    record.kind === 'skipped' && reasons.includes(record.reason);
}

/**
 * Checks that the crawl could read the catalogue.
 *
 * @param records of a whole crawl
 * @throws RefreshError if most open records lack the same detail
 */
export function requireReadable(records: readonly CatalogueRecord[]): void {
  const open = records.filter(({ kind }) => kind !== 'inactive');
  for (const [name, isLacking] of Object.entries(NEEDED_DETAILS)) {
    if (open.filter(isLacking).length > open.length / 2) {
      throw new RefreshError(`Most records of the catalogue have no readable ${name}`);
    }
  }
}

/** Adds markets without any price to the skipped ones. */
export function addSkipped(skippedByReason: SkippedByReason, count: number): SkippedByReason {
  return count === 0
    ? skippedByReason
    : { ...skippedByReason, price: (skippedByReason.price ?? 0) + count };
}

/**
 * The service can read a record that it skips for one of these reasons: the market is new or
 * unsuitable. Any other reason means that the record is unreadable.
 */
const READABLE_REASONS: ReadonlySet<string> = new Set<SkipReason>([
  'ids_pending',
  'end_date',
  'no_order_book',
  'too_long',
  'price',
]);

/** Percentage of the open records that the service cannot read; undefined if there are none. */
export function unreadablePercent({
  listable,
  skippedByReason,
}: CatalogueCounts): number | undefined {
  // Markets without a price are listable.
  const open = listable + countSkipped(skippedByReason) - (skippedByReason.price ?? 0);
  if (open === 0) return undefined;
  let unreadable = 0;
  for (const [reason, count] of Object.entries(skippedByReason))
    if (!READABLE_REASONS.has(reason)) unreadable += count;
  return (100 * unreadable) / open;
}
