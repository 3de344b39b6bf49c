import { type Clock, systemClock } from '../platform/clock.ts';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import { ConditionFailedError } from '../platform/dynamodb/dynamodb-error.ts';
import type { Item } from '../platform/dynamodb/item.ts';
import { withTimeout } from '../platform/timeout.ts';

/** Where the price memory lies. Deadlines are absolute, in ms. */
export interface MemoryStore {
  get(key: Item, deadline: number): Promise<Item | undefined>;
  put(item: Item, deadline: number): Promise<void>;
  /** Puts an item if the one that is there has the revision `before`, or there is none; else false. */
  replace(item: Item, before: number, deadline: number): Promise<boolean>;
}

export interface DynamoDbMemoryStoreOptions {
  readonly client: DynamoDb;
  readonly table: string;
  readonly now: () => number;
  /** That deadlines are kept by. @default the system's */
  readonly clock?: Clock;
}

/** Items in the table of the snapshots, by key only. */
export class DynamoDbMemoryStore implements MemoryStore {
  readonly #options: DynamoDbMemoryStoreOptions;

  constructor(options: DynamoDbMemoryStoreOptions) {
    this.#options = options;
  }

  async get(Key: Item, deadline: number): Promise<Item | undefined> {
    const { client, table } = this.#options;
    return await this.#withTimeout(deadline, (signal) => client.get({ TableName: table, Key }, { signal }));
  }

  async put(Item: Item, deadline: number): Promise<void> {
    const { client, table } = this.#options;
    await this.#withTimeout(deadline, (signal) => client.put({ TableName: table, Item }, { signal }));
  }

  async replace(Item: Item, before: number, deadline: number): Promise<boolean> {
    const { client, table } = this.#options;
    const input = {
      TableName: table,
      Item,
      ConditionExpression: 'attribute_not_exists(revision) OR revision = :before',
      ExpressionAttributeValues: { ':before': { N: String(before) } },
    };
    try {
      await this.#withTimeout(deadline, (signal) => client.put(input, { signal }));
      return true;
    } catch (error) {
      if (error instanceof ConditionFailedError) return false;
      throw error;
    }
  }

  #withTimeout<T>(deadline: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock = systemClock, now } = this.#options;
    return withTimeout(clock, deadline - now(), work);
  }
}
