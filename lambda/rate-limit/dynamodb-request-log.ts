import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { ENTRIES, encodeEntries, itemKey, RATE_LIMIT_KEYS, readEntries } from './dynamodb-items.ts';
import {
  type AppendLimits,
  type LogState,
  type Replacement,
  type RequestLog,
  ThrottledError,
} from './request-log.ts';

export interface DynamoDbRequestLogOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
}

/** What DynamoDB calls more writes to one key than it takes. */
const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

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

  async #write(clientKey: string, update: Update, abortSignal: AbortSignal): Promise<LogState> {
    const { client, table } = this.#options;
    const command = new UpdateItemCommand({
      TableName: table,
      Key: itemKey(clientKey),
      ...update,
      ExpressionAttributeNames: NAMES,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    // Inside the SDK's retries: a throttled write is not repeated, since it says all there is to know.
    command.middlewareStack.add((next) => (args) => next(args).catch(throttledOr), {
      step: 'finalizeRequest',
      priority: 'low',
    });
    try {
      const { Attributes } = await client.send(command, { abortSignal });
      return { written: true, entries: readEntries(Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { written: false, entries: readEntries(error.Item) };
    }
  }
}

function seconds(ms: number): { N: string } {
  return { N: String(Math.ceil(ms / 1_000)) };
}

function throttledOr(error: unknown): never {
  if (error instanceof Error && THROTTLED.has(error.name)) {
    throw new ThrottledError('The table takes no more writes for this client', { cause: error });
  }
  throw error;
}
