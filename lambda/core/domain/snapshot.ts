import { PRICE_SOURCES, type PriceSource } from '../contract/market-fields.ts';
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
  readonly bySource: Readonly<Record<PriceSource, number>>;
}

/** A snapshot without its markets. */
export interface SnapshotInfo {
  readonly id: string;
  /** When its prices were read. */
  readonly asOf: UnixMs;
  /** When the last of its prices was read. */
  readonly readUntil: UnixMs;
  /** Calls for prices that failed. */
  readonly failedCalls: number;
  /** When its catalogue was read. */
  readonly catalogueAsOf: UnixMs;
  /** When upstream made the oldest page of the catalogue: its prices are not older. */
  readonly cataloguePricesAsOf: UnixMs;
  readonly markets: number;
  /** The most markets that the list may hold, and whether it leaves out others. */
  readonly maxMarkets: number;
  readonly isCut: boolean;
  readonly counts: RunCounts;
  /** Since when too many prices do not come from CLOB. Absent while most do. */
  readonly fallbackSince?: UnixMs;
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

/** The `asOf` of the snapshot with an id. */
export function snapshotTime(id: string): UnixMs {
  return Date.parse(id.replace(/^(....)(..)(..T..)(..)(..)(...Z).*$/, '$1-$2-$3:$4:$5.$6'));
}

export function isSnapshotId(value: string): boolean {
  return ID.test(value);
}

export function countSources(markets: readonly Pick<Market, 'priceSource'>[]): RunCounts['bySource'] {
  const counts = Object.fromEntries(PRICE_SOURCES.map((source) => [source, 0])) as Record<PriceSource, number>;
  for (const { priceSource } of markets) counts[priceSource] += 1;
  return counts;
}

/** A larger share of prices that CLOB did not give degrades the service. */
const MAX_FALLBACK_SHARE = 0.05;

export function hasManyFallbacks({ carried, catalogue, ...others }: RunCounts['bySource']): boolean {
  const fallback = carried + catalogue;
  const all = Object.values(others).reduce((sum, count) => sum + count, fallback);
  return fallback > MAX_FALLBACK_SHARE * all;
}
