/** Reads whole snapshots (all markets with their prices at one time) from the table. */
import { LRUCache } from 'lru-cache';
import { splitLines } from '../../core/domain/market-lines.ts';
import type { MissingMarkets } from '../../core/domain/missing-markets.ts';
import { PointerReader } from './pointer-reader.ts';
import { decompress } from './snapshot-codec.ts';
import { baseKey, type Item, missingKey, requireManifest, snapshotKey } from './snapshot-items.ts';
import {
  type BaseReference,
  BrokenSnapshotError,
  type SnapshotManifest,
} from './snapshot-manifest.ts';

/** Bases in memory: that of the newest snapshot, and the previous one for older snapshots. */
const BASE_CACHE_SIZE = 2;

/**
 * Reads snapshots. A snapshot's text is stored as the difference from a base, an earlier text, and is
 * cut into items. This uses only `GetItem`, because functions for callers have no right to query.
 *
 * @throws BrokenSnapshotError for unreadable data
 */
export class SnapshotReader extends PointerReader {
  readonly #bases = new LRUCache<string, Buffer, BaseReference>({
    max: BASE_CACHE_SIZE,
    fetchMethod: (_id, _stale, { context }) => this.readBase(context),
    // An evicted load still gives its snapshots their base.
    ignoreFetchAbort: true,
  });

  /** The manifest of a snapshot, even if callers can no longer read it. */
  async manifestOf(id: string): Promise<SnapshotManifest | undefined> {
    const item = await this.consistentItem(snapshotKey(id, 0));
    return item && requireManifest(item);
  }

  /** The lines of a snapshot, one per market. */
  async read(manifest: SnapshotManifest): Promise<string[]> {
    const { markets } = manifest;
    const lines = splitLines(await this.readText(manifest));
    if (lines.length !== markets)
      throw new BrokenSnapshotError(`Expected ${markets} markets, found ${lines.length}`);
    return lines;
  }

  /** The text of a snapshot, with one line per market. */
  async readText({ id, chunks, checksum, base }: SnapshotManifest): Promise<Buffer> {
    const [baseText, bytes] = await Promise.all([
      this.#bases.fetch(base.id, { context: base }),
      this.#bytes(chunks, (n) => snapshotKey(id, n)),
    ]);
    return decompress(bytes, checksum, baseText);
  }

  /** The markets that the list should have and lacks. @returns undefined for a complete list */
  async readMissing(manifest: SnapshotManifest): Promise<MissingMarkets | undefined> {
    const { id, missing, missingText } = manifest;
    if (!missing || !missingText) return undefined;
    const bytes = await this.#bytes(missingText.chunks, (n) => missingKey(id, n));
    const markets = JSON.parse(decompress(bytes, missingText.checksum).toString());
    return { ...missing, markets };
  }

  /** The text of a base, as the table has it now. */
  async readBase({ id, chunks, checksum }: BaseReference): Promise<Buffer> {
    return decompress(await this.#bytes(chunks, (n) => baseKey(id, n)), checksum);
  }

  /** The bytes of a stored text, whose items are read in parallel. */
  async #bytes(chunks: number, keyOf: (n: number) => Item): Promise<Buffer> {
    const parts: Promise<Uint8Array>[] = [];
    for (let n = 0; n < chunks; n += 1) parts.push(this.#chunk(n, keyOf(n)));
    return Buffer.concat(await Promise.all(parts));
  }

  async #chunk(n: number, key: Item): Promise<Uint8Array> {
    // A replica may not have the item yet, so the second read is consistent.
    const item = (await this.replicaItem(key)) ?? (await this.consistentItem(key));
    if (!item?.data?.B) throw new BrokenSnapshotError(`Item ${n} of a stored text is missing`);
    return item.data.B;
  }
}
