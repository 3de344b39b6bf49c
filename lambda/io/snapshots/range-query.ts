/** Queries of the snapshot table: a partition's items in a range of their numeric sort key. */
import {
  type AttributeValue,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { SNAPSHOT_KEYS } from '../platform/storage-layout.ts';

/** Which items of a partition a query returns, and in which order. */
export interface RangeQuery {
  /** Bounds of the sort key, both included. Each partition has its own unit. @default no bound */
  readonly from?: number;
  readonly to?: number;
  /** By descending sort key. @default false */
  readonly newestFirst?: boolean;
  /** Only the first item. @default false */
  readonly firstOnly?: boolean;
}

/**
 * Yields the items of a range. The table returns at most 1 MB per response, so this sends one
 * command after the other, and yields the items of each response as it arrives. Reads are
 * consistent.
 */
export async function* queryItems(
  TableName: string,
  partition: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER, newestFirst = false, firstOnly = false }: RangeQuery,
  send: (command: QueryCommand) => Promise<QueryCommandOutput>,
): AsyncGenerator<Record<string, AttributeValue>> {
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const command = new QueryCommand({
      TableName,
      KeyConditionExpression: '#pk = :partition AND #n BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#pk': SNAPSHOT_KEYS.partition, '#n': SNAPSHOT_KEYS.sort },
      ExpressionAttributeValues: {
        ':partition': { S: partition },
        ':from': { N: `${from}` },
        ':to': { N: `${to}` },
      },
      ConsistentRead: true,
      ScanIndexForward: !newestFirst,
      ...(firstOnly && { Limit: 1 }),
      ExclusiveStartKey,
    });
    const { Items = [], LastEvaluatedKey } = await send(command);
    yield* Items;
    ExclusiveStartKey = firstOnly ? undefined : LastEvaluatedKey;
  } while (ExclusiveStartKey);
}
