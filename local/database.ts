/** The database of the local server: dynalite, which imitates DynamoDB in this process. */
import {
  type AttributeDefinition,
  CreateTableCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ListTablesCommand,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { dynamoDbClient } from '../lambda/io/platform/dynamodb.ts';
import { RATE_LIMIT_KEYS, SNAPSHOT_KEYS } from '../lambda/io/platform/storage-layout.ts';
import { listen } from './simulator/listen.ts';

/** The names of a table's key attributes: the partition key is a text, the sort key a number. */
export type TableKeys = Readonly<{ partition: string; sort?: string }>;

/** The name of the table with the snapshots. */
export const SNAPSHOT_TABLE = 'snapshots';

/**
 * The tables by name: their keys, and the attribute with the time at which `startExpiry` deletes an
 * item.
 */
export const TABLES: Readonly<Record<string, TableKeys & { readonly ttl: string }>> = {
  [SNAPSHOT_TABLE]: SNAPSHOT_KEYS,
  'rate-limits': RATE_LIMIT_KEYS,
};

/** The variables that the SDK needs for an embedded DynamoDB, besides its address. */
export const DATABASE_VARIABLES = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
} as const;

/**
 * Starts an embedded DynamoDB with both tables. The functions find it through `environment`.
 *
 * @param folder keeps the tables; only one process can open it @default in memory
 */
export async function startDatabase(folder?: string) {
  const server = dynalite({ createTableMs: 0, path: folder });
  const environment = { ...DATABASE_VARIABLES, AWS_ENDPOINT_URL_DYNAMODB: await listen(server, 0) };
  // A client without retries waits 20 s for a response: long enough for a busy machine.
  const client = dynamoDbClient(environment, { maxAttempts: 1 });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const [name, keys] of Object.entries(TABLES)) {
    if (!TableNames.includes(name)) await createTable(client, name, keys);
  }
  return { server, environment };
}

/**
 * Creates a table. Accepts an existing one, because a client with retries repeats a call whose
 * response is late.
 */
export async function createTable(
  client: DynamoDBClient,
  TableName: string,
  keys: TableKeys,
): Promise<void> {
  const AttributeDefinitions: AttributeDefinition[] = [
    { AttributeName: keys.partition, AttributeType: 'S' },
  ];
  const KeySchema: KeySchemaElement[] = [{ AttributeName: keys.partition, KeyType: 'HASH' }];
  if (keys.sort !== undefined) {
    AttributeDefinitions.push({ AttributeName: keys.sort, AttributeType: 'N' });
    KeySchema.push({ AttributeName: keys.sort, KeyType: 'RANGE' });
  }
  const BillingMode = 'PAY_PER_REQUEST';
  const command = new CreateTableCommand({
    TableName,
    BillingMode,
    AttributeDefinitions,
    KeySchema,
  });
  try {
    await client.send(command);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}
