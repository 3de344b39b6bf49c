import type { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';

type Command = GetItemCommand | PutItemCommand;

/**
 * A client of DynamoDB whose calls a test answers or passes on to a table. `send` has the calls.
 */
export function stubClient(
  respond: (command: Command, signal: AbortSignal | undefined) => Promise<unknown>,
) {
  const send = jest.fn((command: Command, options?: { abortSignal?: AbortSignal }) =>
    respond(command, options?.abortSignal),
  );
  return { client: { send } as unknown as DynamoDBClient, send };
}

/** What a call of a snapshot table is about: `BASE#…`, `SNAPSHOT#…`, `LATEST`, `PUBLISHED`. */
export function callOf({ input }: Command) {
  const isRead = 'Key' in input;
  const key = isRead ? input.Key : 'Item' in input ? input.Item : undefined;
  const isConsistent = isRead && input.ConsistentRead === true;
  return { partition: key?.pk?.S ?? '', isRead, isConsistent };
}

export const never = () => new Promise(() => undefined);
