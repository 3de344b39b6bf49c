import { DEFAULT_MARKET_FIELDS, type MarketField } from '../contract/market-schemas.ts';
import { defaultFields, weightOf } from '../domain/market-list.ts';
import { NO_BOUND, type Page, type Room, roomFor } from '../domain/paging.ts';
import { csvLine } from './csv.ts';
import type { MarketFields } from './fields.ts';
import type { MarketTable } from './market-table.ts';

/** How markets are written. */
export interface RowFormat {
  readonly kind: 'json' | 'csv';
  /** Undefined: the default fields. */
  readonly fields: readonly MarketField[] | undefined;
}

/** Markets of a table in some order, written a row each. Rows are made when they are wanted and made once. */
export class MarketRows {
  readonly #table: MarketTable;
  readonly #positions: ArrayLike<number>;
  readonly #format: RowFormat;
  readonly #rows = new Map<number, string>();

  constructor(table: MarketTable, positions: ArrayLike<number>, format: RowFormat) {
    this.#table = table;
    this.#positions = positions;
    this.#format = format;
  }

  /** @param most rows that a page may have at most */
  room(most: number, maxBytes: number): Room {
    if (most * this.#table.longestRow() <= maxBytes) return NO_BOUND;
    const { list } = this.#table;
    return this.#isHeld()
      ? roomFor((index) => list.weightAt(this.#at(index)), maxBytes)
      : roomFor((index) => weightOf(this.#row(index)), maxBytes);
  }

  encode({ start, end }: Page): string {
    const indexes = Array.from({ length: end - start }, (_, n) => start + n);
    if (this.#isHeld()) {
      const { list } = this.#table;
      return this.#positions === this.#table.positions()
        ? list.slice(start, end)
        : list.pick(indexes.map((index) => this.#at(index)));
    }
    const rows = indexes.map((index) => this.#row(index));
    if (this.#format.kind === 'csv') return [csvLine(this.#columns()), ...rows].join('');
    return `[${rows.join(',')}]`;
  }

  /** Whether the rows are those that the table holds encoded. */
  #isHeld(): boolean {
    return this.#format.kind === 'json' && this.#format.fields === undefined;
  }

  #columns(): readonly MarketField[] {
    return this.#format.fields ?? DEFAULT_MARKET_FIELDS;
  }

  #row(index: number): string {
    const known = this.#rows.get(index) ?? this.#write(this.#at(index));
    this.#rows.set(index, known);
    return known;
  }

  #write(position: number): string {
    const { fields, kind } = this.#format;
    if (kind === 'json') return JSON.stringify(this.#table.pick(position, fields ?? DEFAULT_MARKET_FIELDS));
    const picked = fields
      ? this.#table.pick(position, fields)
      : defaultFields(this.#table.market(position), position);
    return csvLine(this.#columns().map((name) => (picked as MarketFields)[name]));
  }

  #at(index: number): number {
    return this.#positions[index] ?? 0;
  }
}
