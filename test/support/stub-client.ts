import type { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';

type Command = GetItemCommand | PutItemCommand;

/**
 * A client of DynamoDB whose calls a test answers, or passes on to a real table. `send` is a mock
 * that records the calls. For example, a table that does not respond to reads:
 *
 *     const { client, send } = stubClient((command) =>
 *       callOf(command).isRead ? never() : table.client.send(command),
 *     );
 */
export function stubClient(
  respond: (command: Command, signal: AbortSignal | undefined) => Promise<unknown>,
) {
  const send = jest.fn((command: Command, options?: { abortSignal?: AbortSignal }) =>
    respond(command, options?.abortSignal),
  );
  return { client: { send } as unknown as DynamoDBClient, send };
}

/**
 * Describes a call: the partition that it reads or writes, such as `LATEST`, whether it is a read
 * of one item, and whether that read is consistent. A query has no key; its partition is empty.
 */
export function callOf({ input }: Command) {
  if ('Key' in input) {
    const isConsistent = input.ConsistentRead === true;
    return { partition: input.Key?.pk?.S ?? '', isRead: true, isConsistent };
  }
  const partition = 'Item' in input ? (input.Item?.pk?.S ?? '') : '';
  return { partition, isRead: false, isConsistent: false };
}

/** A call without a response. */
export const never = () => new Promise(() => undefined);
