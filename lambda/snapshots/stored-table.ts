import type { ByteReader, ByteWriter } from './bytes.ts';
import { COLUMNS, type NumberColumn, type NumberName } from './columns.ts';
import type { MarketFacts, StoredMarkets } from './stored-markets.ts';

/** Markets whose texts are packed and unpacked together: a page of 500 unpacks one or two of them. */
const BLOCK_MARKETS = 512;

type Pack = (bytes: Uint8Array) => Uint8Array;

/**
 * Writes the numbers as they lie in memory and the texts in blocks, so that a reader takes both over without looking at
 * each market.
 *
 * @param pack compresses a part, so that it can be unpacked without the others
 */
export function writeTable(writer: ByteWriter, table: StoredMarkets, pack: Pack): void {
  const { length } = table;
  writer.varint(length);
  writer.varint(table.longestRow);
  writer.varint(BLOCK_MARKETS);
  const numbers = new Float64Array(COLUMNS.length * length);
  for (const [n, [name]] of COLUMNS.entries()) numbers.set(columnOf(table, name), n * length);
  writer.bytes(pack(new Uint8Array(numbers.buffer)));
  for (let start = 0; start < length; start += BLOCK_MARKETS) {
    const lines = positions(start, Math.min(length, start + BLOCK_MARKETS)).map((n) => table.text(n));
    writer.bytes(pack(Buffer.from(lines.join('\n'))));
  }
}

/** @throws RangeError when the bytes do not hold a table */
export function readTable(reader: ByteReader, unpack: Pack): StoredTable {
  const length = reader.varint();
  const longestRow = reader.varint();
  const perBlock = reader.varint();
  // Numbers of eight bytes must begin at a multiple of eight: the copy does.
  const { buffer } = new Uint8Array(unpack(reader.bytes()));
  const numbers = new Float64Array(buffer);
  const blocks = positions(0, Math.ceil(length / perBlock)).map(() => reader.bytes());
  // New columns come last: a table that was written before them has the first ones.
  const columns = length === 0 ? COLUMNS.length : numbers.length / length;
  if (!Number.isInteger(columns) || columns > COLUMNS.length || numbers.length !== columns * length)
    throw new RangeError('The numbers are not those of a table');
  return new StoredTable({ length, longestRow, columns, numbers, perBlock, blocks, unpack });
}

interface StoredParts {
  readonly length: number;
  readonly longestRow: number;
  /** How many of today's columns it was written with. */
  readonly columns: number;
  /** Column by column. */
  readonly numbers: Float64Array;
  /** Markets of a block. */
  readonly perBlock: number;
  readonly blocks: readonly Uint8Array[];
  readonly unpack: Pack;
}

/** A table as it is stored. Of its texts each block is unpacked, and each market read, when it is first asked for. */
export class StoredTable implements StoredMarkets {
  readonly #parts: StoredParts;
  readonly #columns: ReadonlyMap<NumberName, NumberColumn>;
  /** By block. */
  readonly #lines: (readonly string[] | undefined)[];
  readonly #facts: (MarketFacts | undefined)[];

  constructor(parts: StoredParts) {
    const { length, columns, numbers, blocks } = parts;
    this.#parts = parts;
    this.#columns = new Map(
      COLUMNS.map(([name], n) => [
        name,
        n < columns
          ? numbers.subarray(n * length, (n + 1) * length)
          : new Float64Array(length).fill(Number.NaN),
      ]),
    );
    this.#lines = new Array(blocks.length);
    this.#facts = new Array(length);
  }

  get length(): number {
    return this.#parts.length;
  }

  get longestRow(): number {
    return this.#parts.longestRow;
  }

  get columns(): number {
    return this.#parts.columns;
  }

  text(position: number): string {
    const { perBlock } = this.#parts;
    const line = this.#block(Math.floor(position / perBlock))[position % perBlock];
    if (line === undefined) throw new RangeError(`There is no market at ${position}`);
    return line;
  }

  facts(position: number): MarketFacts {
    const known = this.#facts[position] ?? (JSON.parse(this.text(position)) as MarketFacts);
    this.#facts[position] = known;
    return known;
  }

  number(name: NumberName, position: number): number | undefined {
    return present(this.column(name)[position]);
  }

  /** By position. */
  column(name: NumberName): NumberColumn {
    return this.#columns.get(name) ?? NO_COLUMN;
  }

  #block(n: number): readonly string[] {
    const known = this.#lines[n] ?? this.#unpacked(n);
    this.#lines[n] = known;
    return known;
  }

  #unpacked(n: number): readonly string[] {
    const { blocks, unpack } = this.#parts;
    const block = blocks[n];
    return block === undefined ? [] : Buffer.from(unpack(block)).toString('utf8').split('\n');
  }
}

const NO_COLUMN: NumberColumn = new Float64Array();

/** A column of any table. */
export function columnOf(table: StoredMarkets, name: NumberName): NumberColumn {
  return Float64Array.from(
    { length: table.length },
    (_, position) => table.number(name, position) ?? Number.NaN,
  );
}

/** A number of a column, which has NaN for none. */
export function present(value: number | undefined): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

function positions(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, n) => start + n);
}
