import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDatabase } from 'cdk-local';

/** A DynamoDB for tests of the stores: the embedded one, or another one at DYNAMODB_ENDPOINT. */
export interface TestTable {
  readonly client: DynamoDBClient;
  readonly table: string;
  close(): Promise<void>;
}

type TableShape = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>;

/** @param name what the table holds; it is made unique */
export async function startTable(name: string, shape: TableShape): Promise<TestTable> {
  const table = `${name}-${process.pid}-${Date.now()}`;
  const input: CreateTableCommandInput = { TableName: table, BillingMode: 'PAY_PER_REQUEST', ...shape };
  const elsewhere = process.env.DYNAMODB_ENDPOINT;
  const database = elsewhere ? undefined : await startDatabase([{ id: 'Table', name: table, input }]);
  const endpoint = elsewhere ?? database?.url ?? '';
  const client = new DynamoDBClient({
    endpoint,
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
