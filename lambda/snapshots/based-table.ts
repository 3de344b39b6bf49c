import type { IndexedTexts, TermTable } from '../search/term-table.ts';
import { ByteReader } from './bytes.ts';
import { COLUMNS, type NumberColumn, type NumberName, readDifferences } from './columns.ts';
import { at, type MarketFacts, type StoredMarkets } from './stored-markets.ts';
import { present, type StoredTable } from './stored-table.ts';

/** Numbers of the markets of a base and, after them, of the added ones. A column is read when it is first asked for. */
export class BasedNumbers {
  readonly #base: StoredTable;
  readonly #added: StoredTable;
  readonly #differences: ReadonlyMap<NumberName, Uint8Array>;
  readonly #columns = new Map<NumberName, NumberColumn>();

  /** @param differences as `writeDifferences` has written them */
  constructor(base: StoredTable, added: StoredTable, differences: ReadonlyMap<NumberName, Uint8Array>) {
    this.#base = base;
    this.#added = added;
    this.#differences = differences;
  }

  column(name: NumberName): NumberColumn {
    const known = this.#columns.get(name) ?? this.#read(name);
    this.#columns.set(name, known);
    return known;
  }

  #read(name: NumberName): NumberColumn {
    const before = this.#base.column(name);
    const column = new Float64Array(before.length + this.#added.length);
    column.set(before);
    column.set(this.#added.column(name), before.length);
    const differences = this.#differences.get(name);
    if (differences) readDifferences(new ByteReader(differences), column, PER_UNIT.get(name) ?? 1);
    return column;
  }
}

const PER_UNIT: ReadonlyMap<NumberName, number> = new Map(COLUMNS);

export interface BasedParts {
  readonly base: StoredTable;
  readonly added: StoredTable;
  readonly numbers: BasedNumbers;
  /** Of each market of the list: its position in the base, or after it among the added ones. */
  readonly places: ArrayLike<number>;
}

/** The list of a snapshot: markets of a base and some others, with numbers of their own. */
export class BasedTable implements StoredMarkets {
  readonly #parts: BasedParts;

  constructor(parts: BasedParts) {
    this.#parts = parts;
  }

  get length(): number {
    return this.#parts.places.length;
  }

  get longestRow(): number {
    return Math.max(this.#parts.base.longestRow, this.#parts.added.longestRow);
  }

  text(position: number): string {
    const { table, place } = this.#market(position);
    return table.text(place);
  }

  facts(position: number): MarketFacts {
    const { table, place } = this.#market(position);
    return table.facts(place);
  }

  number(name: NumberName, position: number): number | undefined {
    const { numbers, places } = this.#parts;
    return present(numbers.column(name)[at(places, position)]);
  }

  /** @param table of the base's texts */
  indexedBy(table: TermTable): IndexedTexts {
    const { base, places } = this.#parts;
    return {
      table,
      documentAt: (position) => {
        const place = at(places, position);
        return place < base.length ? place : undefined;
      },
      question: (document) => base.facts(document).question,
    };
  }

  #market(position: number): { readonly table: StoredTable; readonly place: number } {
    const { base, added, places } = this.#parts;
    const place = at(places, position);
    return place < base.length ? { table: base, place } : { table: added, place: place - base.length };
  }
}
