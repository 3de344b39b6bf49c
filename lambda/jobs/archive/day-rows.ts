/**
 * Collects the archive's prices of a day in memory. Each snapshot of the day (all listed markets with
 * their prices at one time) adds a row for each of its markets: about three million rows.
 */
import { CHANGE_FIELDS, PRICE_SOURCES } from '../../core/contract/market-fields.ts';
import type { Market } from '../../core/domain/market.ts';
import { countSources, type RunCounts } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { itemAt } from '../../core/domain/values.ts';

/** The numbers of a row. */
export type NumberName =
  | 'bid'
  | 'ask'
  | 'midpoint'
  | 'probability'
  | 'volume'
  | 'liquidity'
  | 'bidSize'
  | 'askSize';

/**
 * Reads each number from a market of a snapshot. The numbers are those of `/api/markets`, except
 * that `probability` is from 0 to 1, as prices are. Amounts are in USD, sizes in shares.
 */
const NUMBERS: Readonly<Record<NumberName, (market: Market) => number | undefined>> = {
  bid: ({ bestBid }) => bestBid,
  ask: ({ bestAsk }) => bestAsk,
  midpoint: ({ midpoint }) => midpoint,
  // A percentage with 3 decimals has 5 here. A plain division would leave 0.011000000000000001.
  probability: ({ currentProbability }) => Math.round(currentProbability * 1_000) / 100_000,
  volume: ({ volume }) => volume,
  liquidity: ({ liquidity }) => liquidity,
  bidSize: ({ bidSize }) => bidSize,
  askSize: ({ askSize }) => askSize,
};
const NUMBER_NAMES = Object.keys(NUMBERS) as NumberName[];

/**
 * Why a market left the list. `rank`: markets of larger volume took its place. `delisted`:
 * Polymarket closed it, or its price is unknown.
 */
export type LeftReason = 'rank' | 'delisted';

/**
 * The rows of a market: one per snapshot that lists it. They are stored as columns of numbers, which
 * take little memory: row 5 has the sixth number of each column.
 */
export class MarketRows {
  /** The market as in its first snapshot of the day. */
  readonly market: Market;
  /** The number of rows. */
  length = 0;
  /** The position of each row's snapshot among those of the day. */
  readonly snapshots: Uint32Array;
  /** A number is NaN if the market does not have it. */
  readonly numbers: Readonly<Record<NumberName, Float64Array>>;
  /** The position of each row's source in PRICE_SOURCES. */
  readonly sources: Uint8Array;
  /** Milliseconds from `pricedAt` to the snapshot. */
  readonly priceAges: Uint32Array;
  /** A bit for each of CHANGE_FIELDS that is doubtful. */
  readonly doubts: Uint8Array;

  constructor(market: Market, capacity: number) {
    this.market = market;
    this.snapshots = new Uint32Array(capacity);
    const columns = NUMBER_NAMES.map((name) => [name, new Float64Array(capacity)]);
    this.numbers = Object.fromEntries(columns) as Record<NumberName, Float64Array>;
    this.sources = new Uint8Array(capacity);
    this.priceAges = new Uint32Array(capacity);
    this.doubts = new Uint8Array(capacity);
  }

  /** Adds a row. @param snapshot its position in the day */
  add(snapshot: number, time: UnixMs, market: Market): void {
    const row = this.length;
    this.length = row + 1;
    this.snapshots[row] = snapshot;
    for (const name of NUMBER_NAMES) this.numbers[name][row] = NUMBERS[name](market) ?? Number.NaN;
    this.sources[row] = PRICE_SOURCES.indexOf(market.priceSource);
    if (market.pricedAt !== undefined) this.priceAges[row] = time - Date.parse(market.pricedAt);
    for (const name of market.doubtfulChanges ?? [])
      this.doubts[row] = (this.doubts[row] ?? 0) | (1 << CHANGE_FIELDS.indexOf(name));
  }

  /** The market's volume in the last snapshot that lists it. */
  get lastVolume(): number {
    return this.numbers.volume[this.length - 1] ?? 0;
  }
}

/** What the archive counts in one snapshot. */
export interface SnapshotCounts {
  readonly time: UnixMs;
  readonly markets: number;
  readonly bySource: RunCounts['bySource'];
  /**
   * The smallest volume in a list that left out markets of smaller volume; minus infinity if the
   * list left out none.
   */
  readonly minVolume: number;
}

/** The times of the first and the last snapshot that list a market. */
export interface TimeSpan {
  readonly first: UnixMs;
  readonly last: UnixMs;
}

/** The rows of a day. Snapshots must be added by ascending time. */
export class DayRows {
  readonly markets = new Map<string, MarketRows>();
  readonly snapshots: SnapshotCounts[] = [];
  /** The rows of the day by the source of their price. */
  readonly bySource = { ...countSources([]) };
  readonly #capacity: number;

  /** @param maxSnapshots a market has at most one row for each */
  constructor(maxSnapshots: number) {
    this.#capacity = maxSnapshots;
  }

  /**
   * Adds a snapshot: one row for each of its markets.
   *
   * @param isCut if the list left out other markets
   * @param markets one by one, so that memory holds few
   */
  add(time: UnixMs, isCut: boolean, markets: Iterable<Market>): void {
    const snapshot = this.snapshots.length;
    const bySource = { ...countSources([]) };
    let count = 0;
    let smallest = Number.POSITIVE_INFINITY;
    for (const market of markets) {
      const known = this.markets.get(market.id);
      // A market that is new in the day can have no rows for earlier snapshots.
      const rows = known ?? new MarketRows(market, this.#capacity - snapshot);
      if (!known) this.markets.set(market.id, rows);
      rows.add(snapshot, time, market);
      bySource[market.priceSource] += 1;
      this.bySource[market.priceSource] += 1;
      smallest = Math.min(smallest, market.volume);
      count += 1;
    }
    const minVolume = isCut ? smallest : Number.NEGATIVE_INFINITY;
    this.snapshots.push({ time, markets: count, bySource, minVolume });
  }

  /** The markets by ascending id. */
  sorted(): readonly MarketRows[] {
    return [...this.markets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => rows);
  }

  /** The first and the last snapshot of the day that list the market. */
  spanOf({ snapshots, length }: MarketRows): TimeSpan {
    const first = this.#snapshotAt(snapshots[0]).time;
    return { first, last: this.#snapshotAt(snapshots[length - 1]).time };
  }

  /** Why the market left the list. Undefined if the day's last snapshot lists it. */
  leftReasonOf({ snapshots, length, lastVolume }: MarketRows): LeftReason | undefined {
    const lastPosition = snapshots[length - 1] ?? 0;
    const next = this.snapshots[lastPosition + 1];
    return next && reasonToLeave(lastVolume, next);
  }

  /**
   * Why a market that the archive followed is missing in the day's first snapshot.
   *
   * @param lastVolume its volume in the last snapshot that listed it
   */
  leftBefore(lastVolume: number): LeftReason {
    return reasonToLeave(lastVolume, this.#snapshotAt(0));
  }

  /** @throws RangeError without a position, which each market has */
  #snapshotAt(position = -1): SnapshotCounts {
    return itemAt(this.snapshots, position);
  }
}

/** Why a market is not in a snapshot: a market of larger volume would have stayed. */
function reasonToLeave(lastVolume: number, { minVolume }: SnapshotCounts): LeftReason {
  return lastVolume <= minVolume ? 'rank' : 'delisted';
}
