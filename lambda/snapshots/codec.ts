import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BASE_CHUNK_BYTES, CHUNK_BYTES } from '../contract/constants.ts';
import type { MarketRecord } from '../domain/market.ts';
import { MarketList } from '../domain/market-list.ts';
import { BrokenSnapshotError } from './broken-snapshot-error.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { type Delta, readDelta, writeDelta } from './delta.ts';
import { entryAt, type MarketTable, readTable, writeTable } from './market-table.ts';

/** Measured on the recorded markets, repeated to 2,000: level 9 is smaller than gzip 6 by a fifth and as fast. */
const ZSTD_LEVEL = 9;

/** A base, or what a snapshot adds to one, in the form it is stored in. */
export interface Encoded {
  readonly chunks: readonly Uint8Array[];
  /** SHA-256 of all chunks together, hex. */
  readonly checksum: string;
  /** Compressed bytes. */
  readonly bytes: number;
}

export function encodeBase(table: MarketTable, chunkBytes = BASE_CHUNK_BYTES): Encoded {
  const writer = new ByteWriter();
  writeTable(writer, table);
  return pack(writer.take(), chunkBytes);
}

export function encodeDelta(base: MarketTable, delta: Delta, chunkBytes = CHUNK_BYTES): Encoded {
  const writer = new ByteWriter();
  writeDelta(writer, base, delta);
  return pack(writer.take(), chunkBytes);
}

/** @throws BrokenSnapshotError when the chunks are not those that were written */
export function decodeBase(chunks: readonly Uint8Array[], checksum: string): MarketTable {
  return readTable(new ByteReader(unpack(chunks, checksum, 'base')));
}

/** A snapshot as the readers have it, in list order. */
export interface DecodedSnapshot {
  /** The default lines of the list, encoded when they are first asked for. */
  readonly list: MarketList;
  /** All that is known of each market; made when it is first asked for. */
  readonly records: readonly MarketRecord[];
  /** The markets as they are stored. */
  readonly table: MarketTable;
}

/** @throws BrokenSnapshotError when the chunks are not those that were written, or do not hold `markets` markets */
export function decodeSnapshot(
  base: MarketTable,
  chunks: readonly Uint8Array[],
  checksum: string,
  markets: number,
): DecodedSnapshot {
  const table = readDelta(new ByteReader(unpack(chunks, checksum, 'snapshot')), base);
  if (table.facts.length !== markets) {
    throw new BrokenSnapshotError(`Expected ${markets} markets, found ${table.facts.length}`);
  }
  return new TableSnapshot(table);
}

/** A snapshot over its table. */
export class TableSnapshot implements DecodedSnapshot {
  readonly table: MarketTable;
  readonly list: MarketList;
  #records: readonly MarketRecord[] | undefined;

  constructor(table: MarketTable) {
    this.table = table;
    this.list = MarketList.of(table.facts.length, (position) => this.#at(position));
  }

  get records(): readonly MarketRecord[] {
    this.#records ??= this.table.facts.map((_, position) => recordAt(this.table, position));
    return this.#records;
  }

  #at(position: number): MarketRecord {
    return this.#records?.[position] ?? recordAt(this.table, position);
  }
}

function recordAt(table: MarketTable, position: number): MarketRecord {
  const { market, facets } = entryAt(table, position);
  return { ...market, ...facets };
}

function pack(bytes: Uint8Array, chunkBytes: number): Encoded {
  const data = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < data.length; start += chunkBytes)
    chunks.push(data.subarray(start, start + chunkBytes));
  return { chunks, checksum: sha256(chunks), bytes: data.length };
}

function unpack(chunks: readonly Uint8Array[], checksum: string, what: string): Uint8Array {
  if (sha256(chunks) !== checksum) throw new BrokenSnapshotError(`The ${what} does not match its checksum`);
  return zstdDecompressSync(Buffer.concat(chunks));
}

function sha256(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
