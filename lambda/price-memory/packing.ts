import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const ZSTD_LEVEL = 9;
/** Far more than a piece ever holds: what claims to be larger is broken. */
const MOST_BYTES = 64_000_000;
const CHECKSUM_BYTES = 8;

/** Compressed, after a checksum of the compressed bytes. */
export function pack(bytes: Uint8Array): Uint8Array {
  const data = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });
  return Buffer.concat([checksumOf(data), data]);
}

/** @throws Error when the bytes are not those that were packed */
export function unpack(packed: Uint8Array): Uint8Array {
  const data = packed.subarray(CHECKSUM_BYTES);
  if (!checksumOf(data).equals(packed.subarray(0, CHECKSUM_BYTES))) {
    throw new Error('A piece of the price memory does not match its checksum');
  }
  return zstdDecompressSync(data, { maxOutputLength: MOST_BYTES });
}

function checksumOf(data: Uint8Array): Buffer {
  return hash('sha256', data, 'buffer').subarray(0, CHECKSUM_BYTES);
}
