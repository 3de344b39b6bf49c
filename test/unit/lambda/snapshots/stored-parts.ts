import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { termTableOf } from '../../../../lambda/search/make-term-table.ts';
import { TEXT_RULES } from '../../../../lambda/search/term-table.ts';
import { type Encoded, encodeBase, encodeDelta, encodeTerms } from '../../../../lambda/snapshots/codec.ts';
import { deltaOf } from '../../../../lambda/snapshots/delta.ts';
import {
  type BaseReference,
  baseItem,
  baseKey,
  chunkItem,
  chunkKey,
  type Item,
  type Manifest,
  termsKey,
} from '../../../../lambda/snapshots/dynamodb-items.ts';
import { recordAt, tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

/** So small that a few markets take several chunks. */
const CHUNK_BYTES = 20;
const EXPIRES_AT = 1_800_000_000;

/** Items by their keys, with notes of what was read: what a loader and a keeper ask of the table. */
export class StoredParts {
  readonly items = new Map<string, Item>();
  /** Partition keys in the order in which they were read; `!` where the read was consistent. */
  readonly reads: string[] = [];
  /** Of the items that only a consistent read finds. */
  readonly late = new Set<string>();

  get = async (key: Item, consistent: boolean): Promise<Item | undefined> => {
    this.reads.push(`${name(key)}${consistent ? '!' : ''}`);
    return this.late.has(name(key)) && !consistent ? undefined : this.items.get(name(key));
  };

  put = (item: Item): void => {
    this.items.set(name(item), item);
  };

  drop(key: Item): void {
    this.items.delete(name(key));
  }

  addBase(id: string, entries: readonly SnapshotEntry[], rules = TEXT_RULES): BaseReference {
    const table = tableOf(entries);
    const markets = encodeBase(table, CHUNK_BYTES);
    const terms = encodeTerms(termTableOf(entries.map((_, n) => recordAt(table, n))), CHUNK_BYTES);
    const reference: BaseReference = {
      id,
      markets: pieceOf(markets),
      terms: { ...pieceOf(terms), rules },
      expiresAt: EXPIRES_AT,
      writtenAt: 0,
    };
    for (const [n, data] of markets.chunks.entries()) this.put(baseItem(reference, baseKey(id, n), data));
    for (const [n, data] of terms.chunks.entries()) this.put(baseItem(reference, termsKey(id, n), data));
    return reference;
  }

  /** A snapshot of its own base, whose id is that of the snapshot after a `b`. */
  add(id: string, entries: readonly SnapshotEntry[] = [snapshotEntry(1), snapshotEntry(2)]): Manifest {
    return this.addTo(this.addBase(`b${id}`, entries), entries, id, entries);
  }

  addTo(
    base: BaseReference,
    baseEntries: readonly SnapshotEntry[],
    id: string,
    entries: readonly SnapshotEntry[],
  ): Manifest {
    const table = tableOf(baseEntries);
    const { chunks, checksum } = encodeDelta(table, deltaOf(table, tableOf(entries)), CHUNK_BYTES);
    const manifest: Manifest = {
      id,
      asOf: 0,
      counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
      markets: entries.length,
      chunks: chunks.length,
      checksum,
      expiresAt: EXPIRES_AT,
      base,
    };
    for (const [n, data] of chunks.entries()) this.put(chunkItem(manifest, n, data));
    return manifest;
  }

  dataOf(id: string, n: number): Uint8Array {
    return this.items.get(name(chunkKey(id, n)))?.data?.B ?? new Uint8Array();
  }
}

function name({ pk, n }: Item): string {
  return `${pk?.S}/${n?.N}`;
}

function pieceOf({ chunks, checksum }: Encoded) {
  return { chunks: chunks.length, checksum };
}
