import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import {
  chunkKey,
  type Manifest,
  POINTER_KEY,
  readManifest,
} from '../../../../lambda/snapshots/dynamodb-items.ts';
import type { LocalService } from '../../../../local/local-service.ts';

type Item = Record<string, AttributeValue>;

/** The items of the snapshot table, past all faults: what has happened to them is what a test needs to be so. */
export class SnapshotTable {
  readonly #client: DynamoDBClient;
  readonly #name: string;

  constructor(service: LocalService) {
    const name = [...service.tables].find(([id]) => id.startsWith('Snapshots'))?.[1];
    if (name === undefined) throw new Error('No snapshot table');
    this.#name = name;
    this.#client = new DynamoDBClient({
      endpoint: service.dynamodbUrl,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
  }

  async manifest(): Promise<Manifest> {
    return readManifest(await this.#get(POINTER_KEY));
  }

  /** As if the newest snapshot had been published so many seconds ago, or, below zero, would be in the future. */
  async setAge(seconds: number): Promise<void> {
    const pointer = await this.#get(POINTER_KEY);
    const asOf = Date.now() - seconds * 1_000;
    const manifest = JSON.stringify({ ...readManifest(pointer), asOf });
    await this.#put({ ...pointer, asOf: { N: String(asOf) }, manifest: { S: manifest } });
  }

  /** As if the base of the newest snapshot had been written so many seconds earlier. */
  async ageBase(seconds: number): Promise<void> {
    const pointer = await this.#get(POINTER_KEY);
    const { base, ...rest } = readManifest(pointer);
    if (!base) throw new Error('The newest snapshot counts from no base');
    const older = { ...base, writtenAt: base.writtenAt - seconds * 1_000 };
    await this.#put({ ...pointer, manifest: { S: JSON.stringify({ ...rest, base: older }) } });
  }

  async breakPointer(): Promise<void> {
    await this.#put({ ...(await this.#get(POINTER_KEY)), manifest: { S: '{"id":' } });
  }

  /** Flips a bit of the newest snapshot's first chunk. */
  async corruptChunk(): Promise<void> {
    const chunk = await this.#get(chunkKey((await this.manifest()).id, 0));
    const data = Buffer.from(chunk.data?.B ?? []);
    const middle = data.length >> 1;
    data[middle] = (data[middle] ?? 0) ^ 1;
    await this.#put({ ...chunk, data: { B: data } });
  }

  /** As DynamoDB does once their time has come. */
  async deleteChunks(): Promise<void> {
    const { id, chunks } = await this.manifest();
    for (let n = 0; n < chunks; n++) {
      await this.#client.send(new DeleteItemCommand({ TableName: this.#name, Key: chunkKey(id, n) }));
    }
  }

  /** As before the first run: the price memory is empty. */
  async forgetPrices(): Promise<void> {
    const { Items = [] } = await this.#client.send(
      new ScanCommand({
        TableName: this.#name,
        FilterExpression: 'begins_with(pk, :memory)',
        ExpressionAttributeValues: { ':memory': { S: 'MEMORY' } },
        ProjectionExpression: 'pk, n',
      }),
    );
    for (const Key of Items) {
      await this.#client.send(new DeleteItemCommand({ TableName: this.#name, Key }));
    }
  }

  close(): void {
    this.#client.destroy();
  }

  async #get(Key: Item): Promise<Item> {
    const { Item: item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#name, Key, ConsistentRead: true }),
    );
    if (!item) throw new Error('There is no such item');
    return item;
  }

  async #put(item: Item): Promise<void> {
    await this.#client.send(new PutItemCommand({ TableName: this.#name, Item: item }));
  }
}
