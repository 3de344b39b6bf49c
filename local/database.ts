import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { dynamoDbClient } from '../lambda/platform/dynamodb.ts';
import { RATE_LIMIT_KEYS, SNAPSHOT_KEYS } from '../lambda/platform/table-keys.ts';
import { listen } from './simulator/listen.ts';

/** The attributes of each table's key: a text, and a number in the table of the snapshots. */
const KEYS = {
  snapshots: [SNAPSHOT_KEYS.partition, SNAPSHOT_KEYS.sort],
  'rate-limits': [RATE_LIMIT_KEYS.partition],
} as const;

/** Starts an embedded DynamoDB with both tables, in memory. `environment`: how the functions find it. */
export async function startDatabase() {
  const server = dynalite({ createTableMs: 0 });
  const endpoint = await listen(server, 0);
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  };
  const client = dynamoDbClient(environment);
  const [types, kinds] = [['S', 'N'] as const, ['HASH', 'RANGE'] as const];
  for (const [TableName, names] of Object.entries(KEYS)) {
    const AttributeDefinitions = names.map((name, n) => ({ AttributeName: name, AttributeType: types[n] }));
    const KeySchema = names.map((name, n) => ({ AttributeName: name, KeyType: kinds[n] }));
    const BillingMode = 'PAY_PER_REQUEST';
    await client.send(new CreateTableCommand({ TableName, BillingMode, AttributeDefinitions, KeySchema }));
  }
  return { server, environment };
}
