import { createHmac } from 'node:crypto';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import { SECRET_ITEM_KEY } from './dynamodb-items.ts';

export interface ClientKeysOptions {
  readonly client: DynamoDb;
  readonly table: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

const SECRET_BYTES = 32;
/** 128 bits of the hash: two addresses of one key do not occur. */
const CLIENT_KEY_BYTES = 16;

/**
 * The keys of clients in the table and in the log: a keyed hash of the address, since an unkeyed one of the four
 * billion IPv4 addresses is undone in seconds. The hash's secret is random, made by the first container that asks and
 * kept in the table: it stands in no template, environment or secret store that costs money and a permission.
 */
export class ClientKeys {
  readonly #options: ClientKeysOptions;
  readonly #loads = new SingleFlight<Uint8Array>();
  #secret: Uint8Array | undefined;

  constructor(options: ClientKeysOptions) {
    this.#options = options;
  }

  /** @throws whatever the table throws; the next call tries again */
  async keyOf(address: string): Promise<string> {
    return hash(this.#secret ?? (await this.load()), address);
  }

  /** Undefined while the secret is not loaded. */
  knownKeyOf(address: string): string | undefined {
    return this.#secret && hash(this.#secret, address);
  }

  /** @throws whatever the table throws; the next call tries again */
  load(): Promise<Uint8Array> {
    return this.#loads.run('secret', () => this.#fetch());
  }

  /** The table's secret; a new one where it has none. Of many containers that begin at once, one makes it. */
  async #fetch(): Promise<Uint8Array> {
    const { client, table, randomBytes } = this.#options;
    const item = await client.update({
      TableName: table,
      Key: SECRET_ITEM_KEY,
      UpdateExpression: 'SET #secret = if_not_exists(#secret, :fresh)',
      ExpressionAttributeNames: { '#secret': 'secret' },
      ExpressionAttributeValues: { ':fresh': { B: randomBytes(SECRET_BYTES) } },
      ReturnValues: 'ALL_NEW',
    });
    const secret = item?.secret?.B;
    if (!secret) throw new Error('The hash secret of the rate-limit table cannot be read');
    this.#secret = secret;
    return secret;
  }
}

function hash(secret: Uint8Array, address: string): string {
  const digest = createHmac('sha256', secret).update(address).digest();
  return digest.subarray(0, CLIENT_KEY_BYTES).toString('base64url');
}
