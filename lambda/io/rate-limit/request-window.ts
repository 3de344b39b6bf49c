import {
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { expirySeconds, MINUTE_MS, type UnixMs } from '../../core/domain/time.ts';
import { isConditionFailed } from '../platform/dynamodb.ts';
import { RATE_LIMIT_KEYS } from '../platform/table-keys.ts';

export const WINDOW_MS = MINUTE_MS;

export interface RequestWindowOptions {
  /** Must not retry: an append that DynamoDB executes twice counts twice. */
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  /** Requests that a client may make in any 60 s: the entries of a full list. */
  readonly limit: number;
}

/** A client's item: the times of accepted requests (not sorted), and how often the list was replaced. */
interface StoredWindow {
  readonly times: readonly number[];
  readonly version: number;
}

type Write = Required<
  Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>
>;

/** A sliding window in DynamoDB: one item per client with its accepted requests. All methods throw what the table throws. */
export class RequestWindow {
  readonly #options: RequestWindowOptions;

  constructor(options: RequestWindowOptions) {
    this.#options = options;
  }

  /** @returns the list with `now`; undefined if the list was full */
  append(key: string, now: UnixMs, signal: AbortSignal): Promise<readonly number[] | undefined> {
    const write = {
      UpdateExpression: 'SET #times = list_append(if_not_exists(#times, :none), :times), #expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(#times) OR size(#times) < :limit',
      ExpressionAttributeValues: { ':none': { L: [] }, ':times': listOf([now]) },
    };
    return this.#write(key, write, now, signal);
  }

  /** Consistent: an older list would let requests pass that the newest refuses. */
  async read(key: string, signal: AbortSignal): Promise<StoredWindow> {
    const { client, table } = this.#options;
    const command = new GetItemCommand({
      TableName: table,
      Key: { [RATE_LIMIT_KEYS.partition]: { S: key } },
      ConsistentRead: true,
    });
    const { Item: item } = await client.send(command, { abortSignal: signal });
    return { times: timesOf(item?.times), version: Number(item?.version?.N ?? 0) };
  }

  /** @returns the new list; undefined if another request has replaced the list since `version` was read */
  replace(key: string, { times, version }: StoredWindow, now: UnixMs, signal: AbortSignal) {
    const write = {
      UpdateExpression: 'SET #times = :times, version = :next, #expiresAt = :expiresAt',
      // Until the first replacement the item has no version.
      ConditionExpression: 'size(#times) >= :limit AND (attribute_not_exists(version) OR version = :version)',
      ExpressionAttributeValues: {
        ':times': listOf(times),
        ':version': { N: String(version) },
        ':next': { N: String(version + 1) },
      },
    };
    return this.#write(key, write, now, signal);
  }

  async #write(key: string, write: Write, now: UnixMs, signal: AbortSignal): Promise<readonly number[] | undefined> {
    const { client, table, limit } = this.#options;
    const command = new UpdateItemCommand({
      TableName: table,
      Key: { [RATE_LIMIT_KEYS.partition]: { S: key } },
      ...write,
      ExpressionAttributeNames: { '#times': 'times', '#expiresAt': RATE_LIMIT_KEYS.ttl },
      ExpressionAttributeValues: {
        ...write.ExpressionAttributeValues,
        ':limit': { N: String(limit) },
        // Two windows later no entry counts, even by a clock that is behind.
        ':expiresAt': { N: String(expirySeconds(now, 2 * WINDOW_MS)) },
      },
      ReturnValues: 'ALL_NEW',
    });
    try {
      const { Attributes: item } = await client.send(command, { abortSignal: signal });
      return timesOf(item?.times);
    } catch (error) {
      if (isConditionFailed(error)) return undefined;
      throw error;
    }
  }
}

type AttributeList = { readonly L?: readonly { readonly N?: string }[] | undefined };

function listOf(times: readonly number[]) {
  return { L: times.map((time) => ({ N: String(time) })) };
}

function timesOf(list: AttributeList | undefined): readonly number[] {
  return (list?.L ?? []).map(({ N: time }) => Number(time));
}
