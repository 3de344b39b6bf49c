import type { MarketRecord } from '../domain/market.ts';
import { recordAt, type StoredMarkets } from './stored-markets.ts';

/** The markets of a table with all that is known of them, each made when it is first asked for. */
export class MarketRecords implements Iterable<MarketRecord> {
  readonly #table: StoredMarkets;
  readonly #made: (MarketRecord | undefined)[];

  constructor(table: StoredMarkets) {
    this.#table = table;
    this.#made = new Array(table.length);
  }

  get length(): number {
    return this.#table.length;
  }

  /** Undefined where the list has ended. */
  at(position: number): MarketRecord | undefined {
    return position < this.length ? this.of(position) : undefined;
  }

  /** @throws RangeError where there is no market */
  of(position: number): MarketRecord {
    const made = this.#made[position] ?? recordAt(this.#table, position);
    this.#made[position] = made;
    return made;
  }

  *[Symbol.iterator](): Generator<MarketRecord> {
    for (let position = 0; position < this.length; position += 1) yield this.of(position);
  }
}
