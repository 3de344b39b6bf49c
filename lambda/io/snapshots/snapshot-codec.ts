import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MAX_CHUNK_BYTES } from '../platform/dynamodb.ts';
import { BrokenSnapshotError } from './snapshot-errors.ts';

/** Older versions of Node ignore the dictionary of zstd, and write 15 times as much. */
const MIN_NODE = '24.6.0';
requireNode(process.versions.node);

/** Level 9 takes 60 to 80 ms and stores 17 to 18 KB for 2,000 markets of simulated trading. */
const ZSTD_LEVEL = 9;
/** The bounds of zstd's window. Decompression accepts no larger one by default. */
const MIN_WINDOW_LOG = 10;
const MAX_WINDOW_LOG = 27;
/** Node decompresses into buffers of this size; its default of 16 KB takes twice the time. */
const DECOMPRESSED_BYTES = 512 * 1_024;

/** @throws Error when this Node ignores dictionaries */
export function requireNode(version: string): void {
  if (version.localeCompare(MIN_NODE, 'en', { numeric: true }) >= 0) return;
  throw new Error(`Node ${MIN_NODE} or later is needed for zstd with a dictionary; this is ${version}`);
}

/** @param base an earlier text, which decompression needs again */
export function compress(text: Buffer, base?: Buffer): Buffer {
  return zstdCompressSync(text, {
    params: {
      [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL,
      // Within a window of the size of the text, zstd reaches the whole base. The default window of the level has 4 MB.
      [constants.ZSTD_c_windowLog]: windowLog(text.length),
      // A dictionary of plain text has no id, so only a checksum detects the wrong one.
      [constants.ZSTD_c_checksumFlag]: 1,
    },
    ...(base && { dictionary: base }),
  });
}

function windowLog(bytes: number): number {
  return Math.min(MAX_WINDOW_LOG, Math.max(MIN_WINDOW_LOG, Math.ceil(Math.log2(Math.max(1, bytes)))));
}

/** @throws BrokenSnapshotError if the result does not have the checksum */
export function decompress(bytes: Uint8Array, checksum: string, base?: Buffer): Buffer {
  let text: Buffer;
  try {
    text = zstdDecompressSync(bytes, { chunkSize: DECOMPRESSED_BYTES, ...(base && { dictionary: base }) });
  } catch (cause) {
    throw new BrokenSnapshotError('The stored bytes cannot be decompressed', { cause });
  }
  if (checksumOf(text) !== checksum) throw new BrokenSnapshotError('The stored text does not match its checksum');
  return text;
}

/** SHA-256, hex. */
export function checksumOf(text: Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Cuts bytes into the data of items. */
export function cutChunks(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / MAX_CHUNK_BYTES);
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * MAX_CHUNK_BYTES, (n + 1) * MAX_CHUNK_BYTES));
}
