import { afterAll } from '@jest/globals';
import { dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { createTable, startDatabase, type TableKeys } from '../../local/database.ts';

let tables = 0;

/**
 * Starts an in-memory DynamoDB, which ends after the tests of the file. `environment` has the
 * variables by which the functions find it. For example:
 *
 *     const db = await startDynamoDb();
 *     const table = await db.table(SNAPSHOT_KEYS);
 *     const writer = new TestWriter({ client: db.client, table, clock });
 */
export async function startDynamoDb() {
  const { server, environment } = await startDatabase();
  const client = dynamoDbClient(environment, { maxAttempts: 1 });
  afterAll(async () => {
    // Calls that a test has left end first: dynalite crashes when it writes to a closed database.
    const timer = setInterval(() => server.closeIdleConnections(), 5);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearInterval(timer);
    client.destroy();
  });
  return {
    environment,
    client,
    /** Creates a table with the given keys and returns its name; every call makes a new table. */
    async table(keys: TableKeys): Promise<string> {
      tables += 1;
      const name = `table-${tables}`;
      await createTable(client, name, keys);
      return name;
    },
  };
}
