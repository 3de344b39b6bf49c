import { CreateTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { dynamoDbClient } from '../lambda/platform/dynamodb.ts';
import { RATE_LIMIT_KEYS, SNAPSHOT_KEYS } from '../lambda/platform/table-keys.ts';
import { listen } from './simulator/listen.ts';

/** The attributes of each table's key: a text, and a number in the table of the snapshots. */
const KEYS = {
  snapshots: [SNAPSHOT_KEYS.partition, SNAPSHOT_KEYS.sort],
  'rate-limits': [RATE_LIMIT_KEYS.partition],
} as const;

/** The variables with which the SDK finds an embedded DynamoDB, besides its address. */
export const DATABASE_VARIABLES = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
} as const;
export const SNAPSHOT_TABLE = 'snapshots' satisfies keyof typeof KEYS;

/**
 * Starts an embedded DynamoDB with both tables. `environment`: how the functions find it.
 *
 * @param folder that keeps the tables, which only one process can open @default in memory
 */
export async function startDatabase(folder?: string) {
  const server = dynalite({ createTableMs: 0, path: folder });
  const environment = { ...DATABASE_VARIABLES, AWS_ENDPOINT_URL_DYNAMODB: await listen(server, 0) };
  const client = dynamoDbClient(environment);
  const [types, kinds] = [['S', 'N'] as const, ['HASH', 'RANGE'] as const];
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const [TableName, names] of Object.entries(KEYS)) {
    if (TableNames.includes(TableName)) continue;
    const AttributeDefinitions = names.map((name, n) => ({ AttributeName: name, AttributeType: types[n] }));
    const KeySchema = names.map((name, n) => ({ AttributeName: name, KeyType: kinds[n] }));
    const BillingMode = 'PAY_PER_REQUEST';
    await client.send(new CreateTableCommand({ TableName, BillingMode, AttributeDefinitions, KeySchema }));
  }
  return { server, environment };
}
