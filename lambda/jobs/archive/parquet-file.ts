/**
 * Writes Parquet files (tables stored by column, in groups of rows) with the library
 * `hyparquet-writer`.
 */
import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { VERSION } from '../../core/contract/constants.ts';

/** What a column contains. `texts` is a list. A `time` in Unix ms becomes a timestamp in UTC. */
type ColumnKind = 'text' | 'texts' | 'number' | 'count' | 'flag' | 'time';

/**
 * A column: its kind, and the function that reads its values. A `?` marks columns that can be null,
 * such as `slug: ['text?', ({ slug }) => slug]`.
 */
type Column<Read> = readonly [kind: ColumnKind | `${ColumnKind}?`, read: Read];

/** The columns of a file with one row group. Each column reads its value from a row. */
export type RowColumns<Row> = Readonly<Record<string, Column<(row: Row) => unknown>>>;

/** The columns of a file with several row groups. Each column reads all its values from a group. */
export type GroupColumns<Group> = Readonly<
  Record<string, Column<(group: Group) => unknown[] | Float64Array>>
>;

/** A file of a day before it is stored. */
export interface DayFile {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** Keys and values in the footer of a file. */
export type Metadata = Readonly<Record<string, string | number>>;

/** Makes a file with one row group. */
export function parquetFile<Row>(
  columns: RowColumns<Row>,
  rows: readonly Row[],
  metadata: Metadata,
): DayFile {
  const groupColumns: Record<string, Column<(group: readonly Row[]) => unknown[]>> = {};
  for (const [name, [kind, read]] of Object.entries(columns))
    groupColumns[name] = [kind, (group) => group.map(read)];
  const file = new ParquetFile(groupColumns, metadata);
  file.addRowGroup(rows);
  return file.finish();
}

/** A Parquet file that grows in memory, one row group after the other. */
export class ParquetFile<Group> {
  readonly #columns: GroupColumns<Group>;
  readonly #writer = new ByteWriter();
  readonly #parquet: ParquetWriter;
  #rows = 0;

  constructor(columns: GroupColumns<Group>, metadata: Metadata) {
    this.#columns = columns;
    const entries = Object.entries(columns);
    this.#parquet = new ParquetWriter({
      writer: this.#writer,
      schema: [
        { name: 'root', num_children: entries.length },
        ...entries.flatMap(([name, [kind]]) => schemaOf(name, kind)),
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      // Ids of an event share their first bytes, so with the default of 16 bytes readers would read
      // more row groups.
      statisticsTruncateLength: Number.POSITIVE_INFINITY,
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value: String(value) })),
      createdBy: `market-data-proxy version ${VERSION}`,
    });
  }

  addRowGroup(group: Group): void {
    const columnData = Object.entries(this.#columns).map(([name, [, read]]) => ({
      name,
      data: read(group),
    }));
    const rows = columnData[0]?.data.length ?? 0;
    // The library returns a promise, but it writes into memory synchronously.
    void this.#parquet.write({ columnData, rowGroupSize: Math.max(1, rows) });
    this.#rows += rows;
  }

  finish(): DayFile {
    void this.#parquet.finish();
    return { rows: this.#rows, bytes: this.#writer.getBytes() };
  }
}

/** The names that the library has for the kinds. */
const TYPES = {
  text: 'STRING',
  number: 'DOUBLE',
  count: 'INT32',
  flag: 'BOOLEAN',
  time: 'TIMESTAMP',
} as const;
/** The type of times. Without it, DuckDB and Polars read timestamps that have no time zone. */
const UTC = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;

/** The schema of a column: one element, or three nested ones for a list of texts. */
function schemaOf(name: string, kind: string): ReturnType<typeof schemaFromColumnData> {
  const nullable = kind.endsWith('?');
  const bareKind = (nullable ? kind.slice(0, -1) : kind) as ColumnKind;
  if (bareKind === 'texts') {
    return [
      { name, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'REQUIRED', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    ];
  }
  const columnData = [{ name, data: [], type: TYPES[bareKind], nullable }];
  // The library's first element is the root of the file.
  const schema = schemaFromColumnData({ columnData }).slice(1);
  return bareKind === 'time'
    ? schema.map((element) => ({ ...element, logical_type: UTC }))
    : schema;
}
