import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { createTable, startDatabase, type TableKeys } from '../../local/database.ts';

/** An in-memory DynamoDB of one test file. `stop()` ends it. */
export interface TestDynamoDb {
  /** The variables by which the functions find it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly client: DynamoDBClient;
  /** Creates a table with the given keys and returns its name; every call makes a new table. */
  table(keys: TableKeys): Promise<string>;
  stop(): Promise<void>;
}

let tables = 0;

export async function startDynamoDb(): Promise<TestDynamoDb> {
  const { server, environment } = await startDatabase();
  const client = dynamoDbClient(environment, { maxAttempts: 1 });
  return {
    environment,
    client,
    async table(keys) {
      tables += 1;
      const name = `table-${tables}`;
      await createTable(client, name, keys);
      return name;
    },
    async stop() {
      // Calls that a test has left end first: dynalite crashes when it writes to a closed database.
      const timer = setInterval(() => server.closeIdleConnections(), 5);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(timer);
      client.destroy();
    },
  };
}
