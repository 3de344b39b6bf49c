import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../lambda/io/snapshots/snapshot-items.ts';

interface Input {
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ExpressionAttributeValues?: Item;
}

const keyOf = ({ pk, n }: Item): string => `${pk?.S} ${n?.N}`;

/**
 * A table of snapshots without a server, for thousands of writes: it ignores conditions, and a query has `:from` and `:to`.
 */
export class MemoryTable {
  readonly items = new Map<string, Item>();
  /** Called before each query. */
  onQuery: () => void = () => undefined;

  /** For the constructors that take a client. */
  get client(): DynamoDBClient {
    return { send: ({ input }: { input: Input }) => this.#send(input) } as unknown as DynamoDBClient;
  }

  async #send({ Item, Key, ExpressionAttributeValues: values }: Input) {
    if (Item) return void this.items.set(keyOf(Item), Item);
    if (Key) return { Item: this.items.get(keyOf(Key)) };
    this.onQuery();
    const [from, to] = [Number(values?.[':from']?.N), Number(values?.[':to']?.N)];
    const found = [...this.items.values()].filter(
      ({ pk, n }) => pk?.S === values?.[':partition']?.S && Number(n?.N) >= from && Number(n?.N) <= to,
    );
    return { Items: found.sort((a, b) => Number(a.n?.N) - Number(b.n?.N)) };
  }
}
