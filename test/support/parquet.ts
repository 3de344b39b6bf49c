import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';

/** The rows of a Parquet file of the archive, by the names of its columns. */
export function parquetRows(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const file = new Uint8Array(bytes).buffer;
  return parquetReadObjects({ file, compressors: { ZSTD: (input) => zstdDecompressSync(input) } });
}
