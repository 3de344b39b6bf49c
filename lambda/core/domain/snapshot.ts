import { MAX_FALLBACK_SHARE } from '../contract/constants.ts';
import { PRICE_SOURCES, type PriceSource } from '../contract/market-fields.ts';
import { SNAPSHOT_ID_PATTERN } from '../contract/patterns.ts';
import type { Market, SkipReason } from './market.ts';
import type { UnixMs } from './time.ts';

/** For `/api/status`. */
export interface RunCounts {
  /** Includes markets without a price. */
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>;
  /** Unsupported ones; at most 10. */
  readonly unknownVersions: readonly string[];
  readonly withOneDayChange: number;
  readonly bySource: Readonly<Record<PriceSource, number>>;
}

export interface SnapshotInfo {
  readonly id: string;
  readonly asOf: UnixMs;
  /** When the last of its prices was read. */
  readonly readUntil: UnixMs;
  /** Failed calls for prices. */
  readonly failedCalls: number;
  readonly catalogueAsOf: UnixMs;
  /** When upstream made the oldest catalogue page. */
  readonly cataloguePricesAsOf: UnixMs;
  readonly markets: number;
  /** The list's limit, and whether it omits markets. */
  readonly maxMarkets: number;
  readonly isCut: boolean;
  readonly counts: RunCounts;
  /** Since when too many prices are not from CLOB. */
  readonly fallbackSince?: UnixMs;
  /** The oldest own sample; absent before the first. */
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

export function snapshotTime(id: string): UnixMs {
  return Date.parse(id.replace(/^(....)(..)(..T..)(..)(..)(...Z).*$/, '$1-$2-$3:$4:$5.$6'));
}

export function isSnapshotId(value: string): boolean {
  return ID.test(value);
}

export function countSkipped(skippedByReason: RunCounts['skippedByReason']): number {
  return Object.values(skippedByReason).reduce((sum, count) => sum + count, 0);
}

export function countSources(markets: readonly Pick<Market, 'priceSource'>[]): RunCounts['bySource'] {
  const counts = Object.fromEntries(PRICE_SOURCES.map((source) => [source, 0])) as Record<PriceSource, number>;
  for (const { priceSource } of markets) counts[priceSource] += 1;
  return counts;
}

/** Whether so many prices do not come from CLOB that the service is degraded. */
export function hasManyFallbacks({ carried, catalogue, ...others }: RunCounts['bySource']): boolean {
  const fallback = carried + catalogue;
  const all = Object.values(others).reduce((sum, count) => sum + count, fallback);
  return fallback > MAX_FALLBACK_SHARE * all;
}
