/** Deletes expired items from the local database. In AWS, DynamoDB does it by itself. */
import {
  DeleteItemCommand,
  type DynamoDBClient,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import { HOUR_MS, toUnixSeconds, type UnixMs } from '../lambda/core/domain/time.ts';
import { TABLES } from './database.ts';

/**
 * The items of one scan. They are few, because an item can have 128 KB, and a scan blocks the
 * server, in whose process the database runs.
 */
const PAGE_ITEMS = 10;

/**
 * Deletes expired items every hour, like DynamoDB's time to live.
 *
 * @returns a function that stops it
 */
export function startExpiry(client: DynamoDBClient, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => void deleteExpired(client, Date.now()).catch(onError), HOUR_MS);
  return () => clearInterval(timer);
}

/**
 * Deletes the expired items of all tables.
 *
 * @param now Unix ms
 */
export async function deleteExpired(client: DynamoDBClient, now: UnixMs): Promise<void> {
  for (const [TableName, { partition, sort, ttl }] of Object.entries(TABLES)) {
    const keys = sort === undefined ? [partition] : [partition, sort];
    // Expressions name attributes by a placeholder, `#ttl`, because many plain names are reserved.
    let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
    do {
      const scan = new ScanCommand({
        TableName,
        Limit: PAGE_ITEMS,
        FilterExpression: '#ttl < :now',
        ProjectionExpression: keys.map((_, n) => `#key${n}`).join(', '),
        ExpressionAttributeNames: {
          '#ttl': ttl,
          ...Object.fromEntries(keys.map((key, n) => [`#key${n}`, key])),
        },
        ExpressionAttributeValues: { ':now': { N: String(toUnixSeconds(now)) } },
        ExclusiveStartKey,
      });
      const { Items = [], LastEvaluatedKey } = await client.send(scan);
      for (const Key of Items) await client.send(new DeleteItemCommand({ TableName, Key }));
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
}
