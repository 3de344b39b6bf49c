import { TEXT_RULES, type TermTable } from '../search/term-table.ts';
import { BrokenSnapshotError } from './broken-snapshot-error.ts';
import { type DecodedSnapshot, decodeBase, decodeSnapshot, decodeTerms } from './codec.ts';
import {
  type BaseReference,
  baseKey,
  chunkKey,
  type Item,
  isCurrent,
  type Manifest,
  type Piece,
  termsKey,
} from './dynamodb-items.ts';
import { decodeVarintSnapshot } from './former/varint-tables.ts';
import { decodeWholeSnapshot } from './former/whole-snapshot.ts';
import type { StoredTable } from './stored-table.ts';

export type GetItem = (key: Item, consistent: boolean) => Promise<Item | undefined>;

export interface LoadedBase {
  readonly table: StoredTable;
  readonly terms?: TermTable | undefined;
}

/** The base of the newest snapshot, and the one before it for a while. */
const BASES_HELD = 2;

/** Puts snapshots together from the items of the table. A base is read once and kept for the snapshots that name it. */
export class SnapshotLoader {
  readonly #get: GetItem;
  readonly #withTerms: boolean;
  #bases: readonly { readonly id: string; readonly base: Promise<LoadedBase> }[] = [];

  /** @param withTerms whether the terms of a base are read with it, for those who search */
  constructor(get: GetItem, withTerms: boolean) {
    this.#get = get;
    this.#withTerms = withTerms;
  }

  /**
   * @param first chunk 0, where the caller has it already
   * @throws BrokenSnapshotError when a chunk is missing, or one of the parts does not match its checksum; whatever the
   *   store throws
   */
  async load(manifest: Manifest, first?: Uint8Array): Promise<DecodedSnapshot> {
    const { id, checksum, markets, base } = manifest;
    const reading = this.#chunks(manifest.chunks, (n) => chunkKey(id, n), `snapshot ${id}`, first);
    if (base && isCurrent(base)) {
      const [{ table, terms }, chunks] = await Promise.all([this.base(base), reading]);
      return decodeSnapshot(table, chunks, checksum, markets, terms);
    }
    // What former versions have written is read once or twice after a deployment.
    const [former, chunks] = await Promise.all([base && this.#baseChunks(base.id, base), reading]);
    return base && former
      ? decodeVarintSnapshot({ chunks: former, checksum: base.checksum }, { chunks, checksum }, markets)
      : decodeWholeSnapshot(chunks, checksum, markets);
  }

  /** The base of a reference; read once, unless that failed. */
  base(reference: BaseReference): Promise<LoadedBase> {
    const held = this.#bases.find(({ id }) => id === reference.id);
    if (held) return held.base;
    const base = this.readBase(reference);
    const others = this.#bases;
    this.#bases = [{ id: reference.id, base }, ...others].slice(0, BASES_HELD);
    base.catch(() => {
      this.#bases = this.#bases.filter((one) => one.base !== base);
    });
    return base;
  }

  /** Reads a base from the store, whether it is held or not. @throws BrokenSnapshotError when it is not whole */
  async readBase({ id, markets, terms }: BaseReference): Promise<LoadedBase> {
    // Terms that other rules have made are of no use.
    const isWanted = this.#withTerms && terms.rules === TEXT_RULES;
    const [chunks, termChunks] = await Promise.all([
      this.#baseChunks(id, markets),
      isWanted ? this.#chunks(terms.chunks, (n) => termsKey(id, n), `the terms of base ${id}`) : undefined,
    ]);
    const table = decodeBase(chunks, markets.checksum);
    return { table, terms: termChunks && decodeTerms(termChunks, terms.checksum, table.length) };
  }

  #baseChunks(id: string, { chunks }: Piece): Promise<Uint8Array[]> {
    return this.#chunks(chunks, (n) => baseKey(id, n), `base ${id}`);
  }

  #chunks(
    count: number,
    keyOf: (n: number) => Item,
    what: string,
    first?: Uint8Array,
  ): Promise<Uint8Array[]> {
    return Promise.all(
      Array.from({ length: count }, async (_, n) => {
        if (n === 0 && first) return first;
        // A replica may not have the chunk yet although the pointer is there: the second read is consistent.
        const item = (await this.#get(keyOf(n), false)) ?? (await this.#get(keyOf(n), true));
        if (!item?.data?.B) throw new BrokenSnapshotError(`Chunk ${n} of ${what} is missing`);
        return item.data.B;
      }),
    );
  }
}
