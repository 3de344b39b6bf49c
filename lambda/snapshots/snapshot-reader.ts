import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type DecodedSnapshot, decodeSnapshot } from './codec.ts';
import { chunkKey, type Manifest, POINTER_KEY, readManifest } from './dynamodb-items.ts';

/** What the read functions ask of the store. */
export interface SnapshotSource {
  /** The newest snapshot's manifest; undefined before the first refresh. */
  latest(): Promise<Manifest | undefined>;
  /** The manifest of a snapshot that is still kept. */
  find(id: string): Promise<Manifest | undefined>;
  /** @throws Error when a chunk is missing or the whole does not match its checksum */
  read(manifest: Manifest): Promise<DecodedSnapshot>;
}

export interface SnapshotReaderOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly now: () => number;
}

/** The readers' side of the table: `GetItem` only. */
export class SnapshotReader implements SnapshotSource {
  private readonly options: SnapshotReaderOptions;

  constructor(options: SnapshotReaderOptions) {
    this.options = options;
  }

  async latest(): Promise<Manifest | undefined> {
    const item = await this.get(POINTER_KEY, true);
    return item && readManifest(item);
  }

  async find(id: string): Promise<Manifest | undefined> {
    const item = await this.get(chunkKey(id, 0), true);
    const manifest = item && readManifest(item);
    // DynamoDB deletes expired items late: what has expired is gone, whether it is still there or not.
    return manifest && manifest.expiresAt * 1_000 > this.options.now() ? manifest : undefined;
  }

  async read(manifest: Manifest): Promise<DecodedSnapshot> {
    const numbers = Array.from({ length: manifest.chunks }, (_, n) => n);
    const chunks = await Promise.all(numbers.map((n) => this.chunk(manifest.id, n)));
    return decodeSnapshot(chunks, manifest.checksum, manifest.markets);
  }

  private async chunk(id: string, n: number): Promise<Uint8Array> {
    // A replica may not have the chunk yet although the pointer is there: the second read is consistent.
    const item = (await this.get(chunkKey(id, n), false)) ?? (await this.get(chunkKey(id, n), true));
    const data = item?.data?.B;
    if (!data) throw new Error(`Chunk ${n} of snapshot ${id} is missing`);
    return data;
  }

  private async get(Key: ReturnType<typeof chunkKey>, ConsistentRead: boolean) {
    const { client, table } = this.options;
    return (await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead }))).Item;
  }
}
