import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BASE_CHUNK_BYTES, CHUNK_BYTES } from '../contract/constants.ts';
import { MarketList } from '../domain/market-list.ts';
import type { IndexedTexts, TermTable } from '../search/term-table.ts';
import { BrokenSnapshotError } from './broken-snapshot-error.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { type Delta, readDelta, writeDelta } from './delta.ts';
import { lineAt } from './market-line.ts';
import { MarketRecords } from './market-records.ts';
import type { StoredMarkets } from './stored-markets.ts';
import { readTable, type StoredTable, writeTable } from './stored-table.ts';
import { readTerms, writeTerms } from './stored-terms.ts';

/** Measured on the recorded markets, repeated to 2,000: level 9 is smaller than gzip 6 by a fifth and as fast. */
const ZSTD_LEVEL = 9;
/** Node unpacks into buffers of this size: with its own 16 KB, a block costs twice the time. */
const UNPACKED_BYTES = 512 * 1_024;

/** A base, or what a snapshot adds to one, in the form it is stored in. */
export interface Encoded {
  readonly chunks: readonly Uint8Array[];
  /** SHA-256 of all chunks together, hex. */
  readonly checksum: string;
  /** Compressed bytes. */
  readonly bytes: number;
}

export function encodeBase(table: StoredMarkets, chunkBytes = BASE_CHUNK_BYTES): Encoded {
  const writer = new ByteWriter();
  writeTable(writer, table, pack);
  return cut(writer.take(), chunkBytes);
}

/** The terms of a base's texts, for those who search them. */
export function encodeTerms(table: TermTable, chunkBytes = BASE_CHUNK_BYTES): Encoded {
  const writer = new ByteWriter();
  writeTerms(writer, table);
  return cut(pack(writer.take()), chunkBytes);
}

export function encodeDelta(base: StoredMarkets, delta: Delta, chunkBytes = CHUNK_BYTES): Encoded {
  const writer = new ByteWriter();
  writeDelta(writer, base, delta);
  return cut(pack(writer.take()), chunkBytes);
}

/** @throws BrokenSnapshotError when the chunks are not those that were written */
export function decodeBase(chunks: readonly Uint8Array[], checksum: string): StoredTable {
  return readTable(new ByteReader(whole(chunks, checksum, 'base')), unpack);
}

/** @param markets of the base @throws BrokenSnapshotError when the chunks are not those that were written */
export function decodeTerms(chunks: readonly Uint8Array[], checksum: string, markets: number): TermTable {
  return readTerms(new ByteReader(unpack(whole(chunks, checksum, 'terms'))), markets);
}

/** A snapshot as the readers have it, in list order. */
export interface DecodedSnapshot {
  /** The default lines of the list, encoded when they are first asked for. */
  readonly list: MarketList;
  /** All that is known of each market; made when it is first asked for. */
  readonly records: MarketRecords;
  /** The markets as they are stored. */
  readonly table: StoredMarkets;
  /** The texts that were indexed with the base, where they were read with it. */
  readonly indexed?: IndexedTexts | undefined;
}

/** @throws BrokenSnapshotError when the chunks are not those that were written, or do not hold `markets` markets */
export function decodeSnapshot(
  base: StoredTable,
  chunks: readonly Uint8Array[],
  checksum: string,
  markets: number,
  terms?: TermTable,
): DecodedSnapshot {
  // A copy, since the buffer that it was unpacked into is larger than what is kept.
  const bytes = new Uint8Array(unpack(whole(chunks, checksum, 'snapshot')));
  const table = readDelta(new ByteReader(bytes), base);
  if (table.length !== markets) {
    throw new BrokenSnapshotError(`Expected ${markets} markets, found ${table.length}`);
  }
  return new TableSnapshot(table, terms && table.indexedBy(terms));
}

/** A snapshot over its table. */
export class TableSnapshot implements DecodedSnapshot {
  readonly table: StoredMarkets;
  readonly records: MarketRecords;
  readonly list: MarketList;
  readonly indexed: IndexedTexts | undefined;

  constructor(table: StoredMarkets, indexed?: IndexedTexts) {
    this.table = table;
    this.indexed = indexed;
    this.records = new MarketRecords(table);
    this.list = MarketList.of(
      table.length,
      (position) => this.records.of(position),
      (position) => lineAt(table, position) ?? JSON.stringify(this.list.at(position)),
    );
  }
}

function pack(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });
}

/** @throws Error when the bytes are not packed */
export function unpack(bytes: Uint8Array): Uint8Array {
  return zstdDecompressSync(bytes, { chunkSize: UNPACKED_BYTES });
}

function cut(bytes: Uint8Array, chunkBytes: number): Encoded {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes)
    chunks.push(bytes.subarray(start, start + chunkBytes));
  return { chunks, checksum: sha256(chunks), bytes: bytes.length };
}

/** The chunks as one. @throws BrokenSnapshotError when they are not those that were written */
export function whole(chunks: readonly Uint8Array[], checksum: string, what: string): Uint8Array {
  if (sha256(chunks) !== checksum) throw new BrokenSnapshotError(`The ${what} does not match its checksum`);
  return Buffer.concat(chunks);
}

function sha256(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
