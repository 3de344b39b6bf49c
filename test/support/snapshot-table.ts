import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNAPSHOT_KEYS } from '../../lambda/snapshots/items.ts';
import { startDatabase } from '../../local/dynamodb/database.ts';

/** A DynamoDB for tests of the stores: the embedded one, or another one at DYNAMODB_ENDPOINT. */
export interface TestTable {
  readonly client: DynamoDBClient;
  readonly table: string;
  close(): Promise<void>;
}

export async function startSnapshotTable(): Promise<TestTable> {
  const table = `snapshots-${process.pid}-${Date.now()}`;
  const input: CreateTableCommandInput = {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: SNAPSHOT_KEYS.partition, AttributeType: 'S' },
      { AttributeName: SNAPSHOT_KEYS.sort, AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: SNAPSHOT_KEYS.partition, KeyType: 'HASH' },
      { AttributeName: SNAPSHOT_KEYS.sort, KeyType: 'RANGE' },
    ],
  };
  const elsewhere = process.env.DYNAMODB_ENDPOINT;
  const database = elsewhere ? undefined : await startDatabase([{ id: 'Table', name: table, input }]);
  const client = new DynamoDBClient({
    endpoint: elsewhere ?? database?.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  if (elsewhere) await client.send(new CreateTableCommand(input));
  return {
    client,
    table,
    close: async () => {
      client.destroy();
      await database?.close();
    },
  };
}
