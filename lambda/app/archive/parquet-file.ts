import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { VERSION } from '../../core/contract/constants.ts';

/** `texts` is a list. */
type ColumnKind = 'text' | 'texts' | 'number' | 'count' | 'flag' | 'time';

/** `?`: may be null. */
export type Columns = Readonly<Record<string, ColumnKind | `${ColumnKind}?`>>;

type SchemaElement = ReturnType<typeof schemaFromColumnData>[number];

const TYPES = { text: 'STRING', number: 'DOUBLE', count: 'INT32', flag: 'BOOLEAN', time: 'TIMESTAMP' } as const;
/** Without it, DuckDB and Polars read timestamps that have no time zone. */
const UTC = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;

/** In memory, written in row groups. */
export class ParquetFile<C extends Columns> {
  rows = 0;
  readonly #columns: readonly (keyof C & string)[];
  readonly #writer = new ByteWriter();
  readonly #parquet: ParquetWriter;

  constructor(columns: C) {
    this.#columns = Object.keys(columns);
    this.#parquet = new ParquetWriter({
      writer: this.#writer,
      schema: [{ name: 'root', num_children: this.#columns.length }, ...Object.entries(columns).flatMap(elements)],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      // Ids of an event begin alike: with the default of 16 bytes, readers would read more row groups.
      statisticsTruncateLength: Number.POSITIVE_INFINITY,
      createdBy: `market-data-proxy version ${VERSION}`,
    });
  }

  /** @param data by column, equally long */
  addRowGroup(data: Readonly<Record<keyof C, unknown[] | Float64Array>>): void {
    const columnData = this.#columns.map((name) => ({ name, data: data[name] }));
    const rows = columnData[0]?.data.length ?? 0;
    // Writing into memory is synchronous.
    void this.#parquet.write({ columnData, rowGroupSize: Math.max(1, rows) });
    this.rows += rows;
  }

  finish(): Uint8Array {
    void this.#parquet.finish();
    return this.#writer.getBytes();
  }
}

function elements([name, kind]: [string, string]): SchemaElement[] {
  const nullable = kind.endsWith('?');
  const bare = (nullable ? kind.slice(0, -1) : kind) as ColumnKind;
  if (bare === 'texts') {
    return [
      { name, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'REQUIRED', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    ];
  }
  const found = schemaFromColumnData({ columnData: [{ name, data: [], type: TYPES[bare], nullable }] }).slice(1);
  return bare === 'time' ? found.map((element) => ({ ...element, logical_type: UTC })) : found;
}
