import { SNAPSHOT_ID_PATTERN } from '../contract/patterns.ts';
import type { Market, SkipReason } from './market.ts';
import type { UnixMs } from './time.ts';

/** The result of a run in numbers, for `/api/status`. */
export interface RunCounts {
  /** Catalogue records and markets without a price that the service cannot list: the sum of the reasons. */
  readonly skipped: number;
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>;
  /** Protocol versions that this service does not support; at most 10. */
  readonly unknownVersions: readonly string[];
  /** Markets with a 1-day change. */
  readonly withOneDayChange: number;
  /** Markets whose price is the catalogue's. */
  readonly cataloguePriced: number;
}

/** A snapshot without its markets. */
export interface SnapshotInfo {
  readonly id: string;
  /** When its prices were read. */
  readonly asOf: UnixMs;
  /** When its catalogue was read. */
  readonly catalogueAsOf: UnixMs;
  readonly markets: number;
  readonly counts: RunCounts;
  /** Time of the service's oldest sample; absent before the first. */
  readonly memorySince?: UnixMs;
}

/** The markets are in list order. */
export interface Snapshot extends Omit<SnapshotInfo, 'markets'> {
  readonly markets: readonly Market[];
}

const ID = new RegExp(SNAPSHOT_ID_PATTERN);

/** Ids sort by time. @param random as `Math.random` */
export function snapshotId(asOf: UnixMs, random: () => number): string {
  const time = new Date(asOf).toISOString().replace(/[-:.]/g, '');
  const suffix = Math.floor(random() * 2 ** 32).toString(16);
  return `${time}-${suffix.padStart(8, '0')}`;
}

export function isSnapshotId(value: string): boolean {
  return ID.test(value);
}
