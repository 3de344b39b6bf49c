import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import { ConditionFailedError, DynamoDbError } from '../platform/dynamodb/dynamodb-error.ts';
import { ENTRIES, encodeEntries, itemKey, RATE_LIMIT_KEYS, readEntries } from './dynamodb-items.ts';
import {
  type AppendLimits,
  type LogState,
  type Replacement,
  type RequestLog,
  ThrottledError,
} from './request-log.ts';

export interface DynamoDbRequestLogOptions {
  readonly client: DynamoDb;
  readonly table: string;
}

/** DynamoDB's word for the limit of the account: whoever has reached it, it says nothing of one client. */
const ACCOUNT_LIMIT = 'RequestLimitExceeded';

const NAMES = { '#entries': ENTRIES, '#ttl': RATE_LIMIT_KEYS.ttl };

type Update = Pick<
  UpdateItemCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'
>;

/**
 * One item a client. Every write is a conditional one that costs one unit whether its condition holds or not, and
 * tells in both cases what the list holds: a refusal needs no second call.
 */
export class DynamoDbRequestLog implements RequestLog {
  readonly #options: DynamoDbRequestLogOptions;

  constructor(options: DynamoDbRequestLogOptions) {
    this.#options = options;
  }

  append(clientKey: string, entry: Uint8Array, limits: AppendLimits, signal: AbortSignal): Promise<LogState> {
    const update = {
      UpdateExpression:
        'SET #entries = list_append(if_not_exists(#entries, :none), :entry), #ttl = :expiresAt',
      ConditionExpression: 'attribute_not_exists(#entries) OR size(#entries) < :most',
      ExpressionAttributeValues: {
        ':entry': encodeEntries([entry]),
        ':none': encodeEntries([]),
        ':most': { N: String(limits.most) },
        ':expiresAt': seconds(limits.expiresAt),
      },
    };
    return this.#write(clientKey, update, signal);
  }

  replace(
    clientKey: string,
    seen: readonly Uint8Array[],
    { entries, expiresAt }: Replacement,
    signal: AbortSignal,
  ): Promise<LogState> {
    const last = seen.length - 1;
    const update = {
      UpdateExpression: 'SET #entries = :entries, #ttl = :expiresAt',
      // Every write leaves a new entry at the end, so length and last entry tell whether there was one.
      ConditionExpression: `size(#entries) = :length AND #entries[${last}] = :last`,
      ExpressionAttributeValues: {
        ':entries': encodeEntries(entries),
        ':expiresAt': seconds(expiresAt),
        ':length': { N: String(seen.length) },
        ':last': { B: seen[last] ?? new Uint8Array() },
      },
    };
    return this.#write(clientKey, update, signal);
  }

  async #write(clientKey: string, update: Update, signal: AbortSignal): Promise<LogState> {
    const { client, table } = this.#options;
    const input: UpdateItemCommandInput = {
      TableName: table,
      Key: itemKey(clientKey),
      ...update,
      ExpressionAttributeNames: NAMES,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };
    try {
      // A throttled write is not repeated, since it says all there is to know.
      const item = await client.update(input, { signal, retryThrottled: false });
      return { written: true, entries: readEntries(item) };
    } catch (error) {
      if (error instanceof ConditionFailedError) return { written: false, entries: readEntries(error.item) };
      if (!isThrottledClient(error)) throw error;
      throw new ThrottledError('The table takes no more writes for this client', { cause: error });
    }
  }
}

/** Whether the writes for this very client are what the table throttles. */
function isThrottledClient(error: unknown): boolean {
  return error instanceof DynamoDbError && error.throttled && error.name !== ACCOUNT_LIMIT;
}

function seconds(ms: number): { N: string } {
  return { N: String(Math.ceil(ms / 1_000)) };
}
