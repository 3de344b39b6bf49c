import type { Market, MarketDetails, SkipReason } from './market.ts';

/** One market of a snapshot: the public fields, and the details beyond them. Together a `MarketRecord`. */
export interface SnapshotEntry {
  readonly market: Market;
  readonly facets: MarketDetails;
  /** Midpoint of YES, 0..1, where it is believed: what the next prices are compared with. */
  readonly midpoint?: number;
}

/** How a run went, told by the status endpoint. */
export interface RunCounts {
  /** Catalogue records that could not be listed because something they must have is missing or broken. */
  readonly skipped: number;
  /** The same by reason; absent where an older version of the service has counted. */
  readonly skippedByReason?: Readonly<Partial<Record<SkipReason, number>>>;
  /** Markets with a 1-day change. */
  readonly withOneDayChange: number;
  /** Markets whose price is the catalogue's because the order book gave none. */
  readonly cataloguePriced: number;
  /** Calls for midpoints that failed: markets lack prices and changes that upstream has. @default 0 */
  readonly midpointCallsFailed?: number;
}

/** How many of the changes are counted from prices that the service saw itself, 0 to 1, and since when it has seen any. */
export interface MemoryReport {
  /** Ms. */
  readonly since: number;
  readonly oneDay: number;
  readonly sevenDay: number;
  readonly thirtyDay: number;
}

/** A whole snapshot before it is stored. `asOf` in ms: the moment its prices were read. */
export interface Snapshot {
  readonly id: string;
  readonly asOf: number;
  /** Ms: when the catalogue was read. @default asOf */
  readonly catalogueAsOf?: number;
  readonly memory?: MemoryReport;
  /** In list order. */
  readonly entries: readonly SnapshotEntry[];
  readonly counts: RunCounts;
}

/** What the pointer tells of the newest snapshot without reading it. */
export interface SnapshotInfo extends Omit<Snapshot, 'entries'> {
  readonly markets: number;
}

const ID = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;

/** Ids sort by time: `20261121T120000123Z-9f86d081`, the time of the prices and 32 random bits. */
export function snapshotId(asOf: number, random: () => number): string {
  const time = new Date(asOf).toISOString().replace(/[-:.]/g, '');
  const suffix = Math.floor(random() * 2 ** 32).toString(16);
  return `${time}-${suffix.padStart(8, '0')}`;
}

export function isSnapshotId(value: string): boolean {
  return ID.test(value);
}
