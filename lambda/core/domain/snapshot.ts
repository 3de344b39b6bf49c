/**
 * A snapshot is the list of markets that one run of the refresher publishes, each minute. This file
 * describes it without the markets: its id, its times, and the counts of its run. The run reads
 * markets from Polymarket's catalogue, and prices from CLOB, its API of order books.
 */
import { PRICE_SOURCES, type PriceSource } from '../contract/market-fields.ts';
import type { UnixMs } from './time.ts';

/** Why the service cannot list a record of the catalogue, although its market may be active. */
export type SkipReason =
  | 'not_an_object'
  | 'condition_id'
  | 'question'
  | 'outcomes'
  | 'version_unknown' // a protocol version that this service does not support
  | 'version_missing' // no version, although it has position ids
  | 'ids_pending' // upstream has not published the token ids of a new market yet
  | 'ids_count' // the number of token ids is not that of the outcomes
  | 'ids_malformed'
  | 'end_date'
  | 'too_long' // more text than one row of a list can hold
  | 'no_order_book' // upstream shows the market, but it cannot be traded
  | 'price'; // no price is known

/** The result of a run in numbers, for `/api/status`. */
export interface RunCounts {
  /** Includes markets without a price. */
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>;
  /** Protocol versions that this service does not support; at most 10. */
  readonly unknownVersions: readonly string[];
  /** Markets whose change over a day is known, and over longer windows. */
  readonly withOneDayChange: number;
  readonly withSevenDayChange: number;
  readonly withThirtyDayChange: number;
  /** Markets by the source of their price. */
  readonly bySource: Readonly<Record<PriceSource, number>>;
}

/** The counts of a run without markets. */
export const EMPTY_COUNTS: RunCounts = {
  skippedByReason: {},
  unknownVersions: [],
  withOneDayChange: 0,
  withSevenDayChange: 0,
  withThirtyDayChange: 0,
  bySource: countSources([]),
};

/** A snapshot without its markets. */
export interface SnapshotInfo {
  readonly id: string;
  /** When the first of its prices was read. */
  readonly asOf: UnixMs;
  /** When the last of its prices was read. */
  readonly readUntil: UnixMs;
  /** The number of calls for prices that failed. */
  readonly failedCalls: number;
  /** When its catalogue was read. */
  readonly catalogueAsOf: UnixMs;
  /**
   * When upstream made the oldest catalogue page: the catalogue's prices are not older. Callers get
   * it as `X-Catalogue-As-Of`, and as `catalogueAsOf` of `/api/status`.
   */
  readonly cataloguePricesAsOf: UnixMs;
  readonly markets: number;
  /** The limit of the list. */
  readonly maxMarkets: number;
  /** Whether the list omits markets, because upstream has more than the limit. */
  readonly isCut: boolean;
  readonly counts: RunCounts;
  /** Since when more than 5 % of the prices are not from CLOB. Absent at 5 % or less. */
  readonly fallbackSince?: UnixMs;
  /** Time of the oldest prices that the service stored for changes; absent before the first. */
  readonly memorySince?: UnixMs;
  /** What the list lacks; absent if it is complete. */
  readonly missing?: MissingCounts;
  /** Host of the catalogue. Lists of different hosts are not compared. */
  readonly upstream?: string;
}

/** How many markets a list lacks, if more than 20 % of those that it should have. */
export interface MissingCounts {
  /** The time of the first list that lacked more than 20 %. */
  readonly since: UnixMs;
  /** Markets that the list lacks. */
  readonly markets: number;
  /** Markets that the list should have. It has all others. */
  readonly expected: number;
}

/**
 * Makes the id of a snapshot. Ids sort by time.
 *
 * @param random as `Math.random`
 * @returns such as `20261121T120000000Z-9f86d081`
 */
export function snapshotId(asOf: UnixMs, random: () => number): string {
  const time = new Date(asOf).toISOString().replace(/[-:.]/g, '');
  const suffix = Math.floor(random() * 2 ** 32).toString(16);
  return `${time}-${suffix.padStart(8, '0')}`;
}

/** The `asOf` in the id of a snapshot. */
export function snapshotTime(id: string): UnixMs {
  // 20261121T120000000Z-9f86d081 becomes 2026-11-21T12:00:00.000Z.
  return Date.parse(id.replace(/^(....)(..)(..T..)(..)(..)(...Z).*$/, '$1-$2-$3:$4:$5.$6'));
}

/** The number of skipped markets, over all reasons. */
export function countSkipped(skippedByReason: RunCounts['skippedByReason']): number {
  return Object.values(skippedByReason).reduce((sum, count) => sum + count, 0);
}

/** Counts markets by the source of their price. */
export function countSources(
  markets: readonly { readonly priceSource: PriceSource }[],
): RunCounts['bySource'] {
  const zeros = PRICE_SOURCES.map((source) => [source, 0]);
  const counts: Record<PriceSource, number> = Object.fromEntries(zeros);
  for (const { priceSource } of markets) counts[priceSource] += 1;
  return counts;
}
