/** The thread of the embedded DynamoDB: starts dynalite, creates the tables it is given, and posts its address. */
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { returnItemsOnConditionFailure } from './condition-failure.ts';
import { refuseOtherOrigins } from './own-machine.ts';
import type { TableDefinition } from './table-definition.ts';

const tables: readonly TableDefinition[] = workerData;

returnItemsOnConditionFailure();
const server = dynalite({ createTableMs: 0 });
refuseOtherOrigins(server);
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
});
// SDK clients keep connections for long; a server that drops idle ones would make them fail now and then.
server.keepAliveTimeout = 0;
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;

const client = new DynamoDBClient({
  endpoint: url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
for (const { name, input } of tables) {
  await client.send(new CreateTableCommand(input));
  await waitUntilTableExists({ client, maxWaitTime: 5, minDelay: 0.01, maxDelay: 0.05 }, { TableName: name });
}
client.destroy();
parentPort?.postMessage({ url });
