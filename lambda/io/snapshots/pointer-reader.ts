/** Reads which snapshot (all markets with their prices at one time) is the newest. */
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  FAILURE_KEY,
  type Item,
  POINTER_KEY,
  readFailure,
  requireManifest,
} from './snapshot-items.ts';
import type { RefreshFailure, SnapshotManifest } from './snapshot-manifest.ts';

export interface PointerReaderOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
}

/**
 * Reads the pointer: the item of the table with the manifest of the newest snapshot. A manifest is
 * all that the table stores of a snapshot but its markets.
 *
 * @throws BrokenSnapshotError for unreadable data
 */
export class PointerReader {
  readonly #options: PointerReaderOptions;

  constructor(options: PointerReaderOptions) {
    this.#options = options;
  }

  /** The pointer as an item, for the writer. @returns undefined before the first refresh */
  pointer(): Promise<Item | undefined> {
    return this.consistentItem(POINTER_KEY);
  }

  /** The manifest of the newest snapshot. @returns undefined before the first refresh */
  async latest(): Promise<SnapshotManifest | undefined> {
    const item = await this.pointer();
    return item && requireManifest(item);
  }

  /** Why the last refresh failed; undefined if none has failed recently. */
  async lastFailure(): Promise<RefreshFailure | undefined> {
    const item = await this.consistentItem(FAILURE_KEY);
    return item && readFailure(item);
  }

  /** An item as the last write left it. */
  protected consistentItem(key: Item): Promise<Item | undefined> {
    return this.#get(key, { ConsistentRead: true });
  }

  /** An item from any replica, at half the price. A new item may be missing. */
  protected replicaItem(key: Item): Promise<Item | undefined> {
    return this.#get(key, { ConsistentRead: false });
  }

  async #get(Key: Item, consistency: { ConsistentRead: boolean }): Promise<Item | undefined> {
    const { client, table: TableName } = this.#options;
    return (await client.send(new GetItemCommand({ TableName, Key, ...consistency }))).Item;
  }
}
