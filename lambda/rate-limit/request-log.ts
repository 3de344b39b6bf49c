import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  ENTRIES,
  encodeEntry,
  itemKey,
  NONCE_BYTES,
  RATE_LIMIT_KEYS,
  readEntries,
} from './dynamodb-items.ts';
import { WINDOW_MS } from './sliding-window.ts';

export interface RequestLogOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** A request that has been put down, and all that are in the log beside it. */
export interface Recorded {
  readonly entry: Uint8Array;
  readonly others: readonly Uint8Array[];
}

/**
 * Who made requests when: one item a client, with a set of entries. `UpdateItem` is atomic, so the requests of a
 * client are put down one after the other, and each is told exactly of those before it, whichever container it came
 * to. Both writes may be repeated: an entry is in a set, or is not.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** @param moment milliseconds since 1970 */
  async record(clientKey: string, moment: number, abortSignal: AbortSignal): Promise<Recorded> {
    const { client, table, randomBytes } = this.#options;
    const entry = encodeEntry(moment, randomBytes(NONCE_BYTES));
    const command = new UpdateItemCommand({
      TableName: table,
      Key: itemKey(clientKey),
      UpdateExpression: 'ADD #entries :entry SET #ttl = :ttl',
      ExpressionAttributeNames: { '#entries': ENTRIES, '#ttl': RATE_LIMIT_KEYS.ttl },
      ExpressionAttributeValues: {
        ':entry': { BS: [entry] },
        // Two windows: by then nothing in the item counts, whatever the clocks.
        ':ttl': { N: String(Math.ceil((moment + 2 * WINDOW_MS) / 1_000)) },
      },
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes } = await client.send(command, { abortSignal });
    return { entry, others: readEntries(Attributes).filter((other) => Buffer.compare(other, entry) !== 0) };
  }

  async erase(clientKey: string, entries: readonly Uint8Array[], abortSignal: AbortSignal): Promise<void> {
    const { client, table } = this.#options;
    const command = new UpdateItemCommand({
      TableName: table,
      Key: itemKey(clientKey),
      UpdateExpression: 'DELETE #entries :entries',
      ExpressionAttributeNames: { '#entries': ENTRIES },
      ExpressionAttributeValues: { ':entries': { BS: [...entries] } },
    });
    await client.send(command, { abortSignal });
  }
}
