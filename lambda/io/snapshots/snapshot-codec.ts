/**
 * Turns texts of the snapshot table into bytes, and back. A text can be compressed against a base,
 * an earlier text that serves zstd as a dictionary: only the difference is stored.
 */
import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BrokenSnapshotError } from './snapshot-manifest.ts';

const ZSTD_LEVEL = 9;
/**
 * The shortest match. Repeated fields are longer. Shorter matches make a difference an eighth
 * larger.
 */
const MIN_MATCH = 6;
/** The smallest window that zstd accepts: 2^10 bytes. It searches a window for matches. */
const MIN_WINDOW_LOG = 10;
/** The smallest table of positions in the window that we use: 2^16. */
const MIN_HASH_LOG = 16;
/** With Node's default of 16 KB, decompression takes twice as long. */
const DECOMPRESSION_CHUNK_BYTES = 512 * 1_024;

/** Compresses a text. @param base an earlier text; decompression needs the same one */
export function compress(text: Buffer, base?: Buffer): Buffer {
  return zstdCompressSync(text, {
    params: {
      [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL,
      // Covers the whole base; the level's default window is 4 MB.
      [constants.ZSTD_c_windowLog]: windowLog(text.length),
      // The level's default table of 4 M positions forgets most of a base of 10,000 markets.
      [constants.ZSTD_c_hashLog]: Math.max(MIN_HASH_LOG, windowLog(text.length)),
      [constants.ZSTD_c_minMatch]: MIN_MATCH,
      // A plain-text dictionary has no id, so only a checksum detects a wrong one.
      [constants.ZSTD_c_checksumFlag]: 1,
    },
    ...(base && { dictionary: base }),
  });
}

/** The logarithm to base 2 of a window that covers all bytes. */
function windowLog(bytes: number): number {
  return Math.max(MIN_WINDOW_LOG, Math.ceil(Math.log2(bytes)));
}

/** Reverses `compress`. @throws BrokenSnapshotError if the result does not have the checksum */
export function decompress(bytes: Uint8Array, checksum: string, base?: Buffer): Buffer {
  let text: Buffer;
  try {
    text = zstdDecompressSync(bytes, {
      chunkSize: DECOMPRESSION_CHUNK_BYTES,
      ...(base && { dictionary: base }),
    });
  } catch (cause) {
    throw new BrokenSnapshotError('The stored bytes cannot be decompressed', { cause });
  }
  if (checksumOf(text) !== checksum)
    throw new BrokenSnapshotError('The stored text does not match its checksum');
  return text;
}

/** The SHA-256 of a text, in hex. */
export function checksumOf(text: Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Older versions of Node ignore zstd's dictionary and write 15 times as much. */
const MIN_NODE = '24.6.0';
requireNode(process.versions.node);

/** @throws Error if this version of Node ignores dictionaries */
export function requireNode(version: string): void {
  if (version.localeCompare(MIN_NODE, 'en', { numeric: true }) >= 0) return;
  throw new Error(
    `Node ${MIN_NODE} or later is needed for zstd with a dictionary; this is ${version}`,
  );
}
