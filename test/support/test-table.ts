import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

/** An in-memory DynamoDB of one test file. `stop()` ends it. */
export interface TestDynamoDb {
  /** The variables by which the functions find it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly client: DynamoDBClient;
  /** Creates a table with the given keys and returns its name; every call makes a new table. */
  table(keys: TableKeys): Promise<string>;
  stop(): Promise<void>;
}

interface TableKeys {
  readonly partition: string;
  /** A number. */
  readonly sort?: string;
}

let tables = 0;

export async function startDynamoDb(): Promise<TestDynamoDb> {
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  return {
    environment: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
    client,
    async table(keys) {
      tables += 1;
      const name = `table-${tables}`;
      await client.send(new CreateTableCommand(definition(name, keys)));
      return name;
    },
    async stop() {
      client.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function definition(name: string, { partition, sort }: TableKeys): CreateTableCommandInput {
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: partition, AttributeType: 'S' },
      ...(sort ? [{ AttributeName: sort, AttributeType: 'N' } as const] : []),
    ],
    KeySchema: [
      { AttributeName: partition, KeyType: 'HASH' },
      ...(sort ? [{ AttributeName: sort, KeyType: 'RANGE' } as const] : []),
    ],
  };
}
