import { createHmac } from 'node:crypto';
import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { NAMING_KEY } from './dynamodb-items.ts';

export interface CallerNamesOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

const KEY_BYTES = 32;
/** 128 bits of the hash: two addresses of one name do not occur. */
const NAME_BYTES = 16;

/**
 * What addresses are called in the table and in the log: a keyed hash, since an unkeyed one of the four billion IPv4
 * addresses is undone in seconds. The key is random, made by the first container that asks and kept in the table:
 * no secret stands in the template, the environment or a secret store that costs money and a permission.
 */
export class CallerNames {
  private readonly options: CallerNamesOptions;
  private key: Uint8Array | undefined;
  private loading: Promise<Uint8Array> | undefined;

  constructor(options: CallerNamesOptions) {
    this.options = options;
  }

  /** @throws whatever the table throws; the next call tries again */
  async nameOf(address: string): Promise<string> {
    return hash(this.key ?? (await this.load()), address);
  }

  /** Undefined while the key is not loaded. */
  knownNameOf(address: string): string | undefined {
    return this.key && hash(this.key, address);
  }

  /** @throws whatever the table throws; the next call tries again */
  load(): Promise<Uint8Array> {
    this.loading ??= this.fetch().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  /** The table's key; a new one where it has none. Of many containers that begin at once, one makes it. */
  private async fetch(): Promise<Uint8Array> {
    const { client, table, randomBytes } = this.options;
    const command = new UpdateItemCommand({
      TableName: table,
      Key: NAMING_KEY,
      UpdateExpression: 'SET #secret = if_not_exists(#secret, :fresh)',
      ExpressionAttributeNames: { '#secret': 'secret' },
      ExpressionAttributeValues: { ':fresh': { B: randomBytes(KEY_BYTES) } },
      ReturnValues: 'ALL_NEW',
    });
    const key = (await client.send(command)).Attributes?.secret?.B;
    if (!key) throw new Error('The naming key of the rate-limit table cannot be read');
    this.key = key;
    return key;
  }
}

function hash(key: Uint8Array, address: string): string {
  return createHmac('sha256', key).update(address).digest().subarray(0, NAME_BYTES).toString('base64url');
}
