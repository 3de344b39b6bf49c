import type { DynamoDb } from '../platform/dynamodb/client.ts';
import type { DecodedSnapshot } from './codec.ts';
import { chunkKey, type Manifest, POINTER_KEY, readManifest } from './dynamodb-items.ts';
import { type GetItem, SnapshotLoader } from './snapshot-loader.ts';

/** What the read functions ask of the store. */
export interface SnapshotSource {
  /** The newest snapshot's manifest; undefined before the first refresh. */
  latest(): Promise<Manifest | undefined>;
  /** The manifest of a snapshot that is still kept. @throws BrokenSnapshotError when it cannot be read */
  find(id: string): Promise<Manifest | undefined>;
  /** @throws BrokenSnapshotError when a chunk is missing or a part does not match its checksum */
  read(manifest: Manifest): Promise<DecodedSnapshot>;
}

export interface SnapshotReaderOptions {
  readonly client: DynamoDb;
  readonly table: string;
  readonly now: () => number;
  /** Whether the terms of the texts are read with them, for those who search. @default false */
  readonly withTerms?: boolean;
}

/** The readers' side of the table: `GetItem` only. */
export class SnapshotReader implements SnapshotSource {
  readonly #get: GetItem;
  readonly #now: () => number;
  readonly #loader: SnapshotLoader;
  /** Chunk 0 of the snapshot that was found last: it came with its manifest. */
  #found: { readonly id: string; readonly data: Uint8Array } | undefined;

  constructor({ client, table, now, withTerms = false }: SnapshotReaderOptions) {
    this.#get = (Key, ConsistentRead) => client.get({ TableName: table, Key, ConsistentRead });
    this.#now = now;
    this.#loader = new SnapshotLoader(this.#get, withTerms);
  }

  async latest(): Promise<Manifest | undefined> {
    const item = await this.#get(POINTER_KEY, true);
    return item && readManifest(item);
  }

  async find(id: string): Promise<Manifest | undefined> {
    const item = await this.#get(chunkKey(id, 0), true);
    const manifest = item && readManifest(item);
    // DynamoDB deletes expired items late: what has expired is gone, whether it is still there or not.
    if (!manifest || manifest.expiresAt * 1_000 <= this.#now()) return undefined;
    if (item?.data?.B) this.#found = { id, data: item.data.B };
    return manifest;
  }

  async read(manifest: Manifest): Promise<DecodedSnapshot> {
    const first = this.#found?.id === manifest.id ? this.#found.data : undefined;
    this.#found = undefined;
    return await this.#loader.load(manifest, first);
  }
}
