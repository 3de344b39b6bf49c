import { PRICE_SOURCES } from '../../core/contract/market-fields.ts';
import type { Market } from '../../core/domain/market.ts';
import type { UnixMs } from '../../core/domain/time.ts';

/** As in `/api/markets`: prices from 0 to 1, `probability` in percent, amounts in USD. */
const NUMBERS = {
  bid: ({ bestBid }) => bestBid,
  ask: ({ bestAsk }) => bestAsk,
  midpoint: ({ midpoint }) => midpoint,
  probability: ({ currentProbability }) => currentProbability,
  volume: ({ volume }) => volume,
  liquidity: ({ liquidity }) => liquidity,
} as const satisfies Record<string, (market: Market) => number | undefined>;
export type NumberName = keyof typeof NUMBERS;
const NUMBER_ENTRIES = Object.entries(NUMBERS) as [NumberName, (market: Market) => number | undefined][];

/** A row per snapshot that lists the market. A day has three million, so they are columns of numbers. */
export class MarketRows {
  /** From its first snapshot of the day. */
  readonly market: Market;
  length = 0;
  /** Positions in the day. */
  readonly snapshots: Uint32Array;
  /** NaN: the market has no such number. */
  readonly numbers: Readonly<Record<NumberName, Float64Array>>;
  /** Positions in PRICE_SOURCES. */
  readonly sources: Uint8Array;

  constructor(market: Market, capacity: number) {
    this.market = market;
    this.snapshots = new Uint32Array(capacity);
    const columns = NUMBER_ENTRIES.map(([name]) => [name, new Float64Array(capacity)]);
    this.numbers = Object.fromEntries(columns) as Record<NumberName, Float64Array>;
    this.sources = new Uint8Array(capacity);
  }

  add(snapshot: number, market: Market): void {
    const row = this.length;
    this.length = row + 1;
    this.snapshots[row] = snapshot;
    for (const [name, read] of NUMBER_ENTRIES) this.numbers[name][row] = read(market) ?? Number.NaN;
    this.sources[row] = PRICE_SOURCES.indexOf(market.priceSource);
  }
}

/** Callers add snapshots by ascending time. */
export class DayRows {
  /** By id. */
  readonly markets = new Map<string, MarketRows>();
  readonly times: number[] = [];
  readonly #snapshots: number;

  /** @param snapshots the largest number of snapshots */
  constructor(snapshots: number) {
    this.#snapshots = snapshots;
  }

  /** @param markets one by one, so that memory holds few of them */
  add(time: UnixMs, markets: Iterable<Market>): void {
    const snapshot = this.times.length;
    for (const market of markets) {
      const known = this.markets.get(market.id);
      const rows = known ?? new MarketRows(market, this.#snapshots - snapshot);
      if (!known) this.markets.set(market.id, rows);
      rows.add(snapshot, market);
    }
    this.times.push(time);
  }

  /** By id, ascending. */
  sorted(): readonly MarketRows[] {
    return [...this.markets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => rows);
  }

  spanOf({ snapshots, length }: MarketRows): readonly [first: number, last: number] {
    return [this.#time(snapshots[0]), this.#time(snapshots[length - 1])];
  }

  #time(snapshot = -1): number {
    return this.times[snapshot] ?? Number.NaN;
  }
}
