import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { startDatabase } from 'cdk-local';
import type { DynamoDbClient } from '../../lambda/platform/dynamodb/client.ts';
import { dynamoDbClient } from '../../lambda/platform/dynamodb/create-client.ts';

/** A DynamoDB for tests of the stores: the embedded one, or another one at DYNAMODB_ENDPOINT. */
export interface TestTable {
  /** As the service has it. */
  readonly client: DynamoDbClient;
  /** For what only tests do. */
  readonly sdk: DynamoDBClient;
  readonly url: string;
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
  const client = testClient(endpoint);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const sdk = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });
  if (elsewhere) await sdk.send(new CreateTableCommand(input));
  return {
    client,
    sdk,
    url: endpoint,
    table,
    close: async () => {
      if (elsewhere) await sdk.send(new DeleteTableCommand({ TableName: table }));
      client.destroy();
      sdk.destroy();
      await database?.close();
    },
  };
}

/** The service's own client of a DynamoDB on this machine. */
export function testClient(url: string, maxAttempts?: number): DynamoDbClient {
  return dynamoDbClient(maxAttempts, {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
}
