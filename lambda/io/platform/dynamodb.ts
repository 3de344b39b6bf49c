import {
  type AttributeValue,
  DynamoDBClient,
  type DynamoDBClientConfig,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  type ThrottlingReason,
} from '@aws-sdk/client-dynamodb';
import type { Environment } from './environment.ts';
import { SNAPSHOT_KEYS } from './environment.ts';

/**
 * The largest data of one item. DynamoDB serves 3,000 read units per second and key: with items of
 * this size, 180 new containers can load a snapshot within a second.
 */
export const MAX_CHUNK_BYTES = 128 * 1_024;

/**
 * The times of one attempt. DynamoDB responds within milliseconds, and three attempts fit into a
 * function's time-out of 10 s.
 */
const CONNECT_MS = 1_000;
const ATTEMPT_MS = 1_500;
/**
 * The time of the only attempt of clients without retries. It is long, because their callers end
 * calls earlier with `withTimeout`. The SDK's timers count the time in which this process is busy;
 * `withTimeout` does not.
 */
const ONLY_ATTEMPT_MS = 20_000;

/**
 * The attempts of background jobs on DynamoDB and S3. No caller waits, and each job has its own
 * deadline, so the attempts can outlast throttling.
 */
export const BACKGROUND_ATTEMPTS = 6;

const clients = new Map<string, DynamoDBClient>();

/**
 * Returns a client of DynamoDB. There is one for each endpoint and number of attempts, so that the
 * functions of a process share connections.
 *
 * @param options `maxAttempts` includes the first
 */
export function dynamoDbClient(
  environment: Environment,
  options: { maxAttempts?: number } = {},
): DynamoDBClient {
  const { maxAttempts = 3 } = options;
  const endpoint = environment.AWS_ENDPOINT_URL_DYNAMODB ?? environment.AWS_ENDPOINT_URL;
  const key = `${maxAttempts} ${endpoint}`;
  const existing = clients.get(key);
  if (existing) return existing;
  const client = new DynamoDBClient(configuration(environment, endpoint, maxAttempts));
  clients.set(key, client);
  return client;
}

/** Which items of a partition a query returns, by their sort key. */
export interface RangeQuery {
  /** Bounds of the sort key, in the unit of the partition. Both are included. */
  readonly from?: number;
  readonly to?: number;
  /** By descending sort key. @default false */
  readonly newestFirst?: boolean;
  /** Returns only the first item. @default all items */
  readonly limit?: 1;
}

/** Yields the items of each response of the snapshot table as it arrives. Reads are consistent. */
export async function* queryItems(
  TableName: string,
  partition: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER, newestFirst = false, limit }: RangeQuery,
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
      ...(limit && { Limit: limit }),
      ExclusiveStartKey,
    });
    const { Items = [], LastEvaluatedKey } = await send(command);
    yield* Items;
    ExclusiveStartKey = limit ? undefined : LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** Whether a write failed because its condition did not hold. */
export function isConditionFailed(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** Whether the connection was closed, for example because Lambda had frozen the container. */
export function isConnectionClosed(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'EPIPE')
  );
}

/** DynamoDB's errors for too many requests. */
const THROTTLED = [
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
];

/** The SDK writes the list in lower case only for `ThrottlingException`. */
interface Throttled extends Error {
  readonly ThrottlingReasons?: readonly ThrottlingReason[];
  readonly throttlingReasons?: readonly ThrottlingReason[];
}

/**
 * What DynamoDB throttles. `key`: only requests for the same key. `unknown`: the error names no
 * reason. Undefined for any other error.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
export function throttlingOf(error: unknown): 'key' | 'table' | 'unknown' | undefined {
  if (!(error instanceof Error && THROTTLED.includes(error.name))) return undefined;
  const { ThrottlingReasons, throttlingReasons }: Throttled = error;
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  if (reasons.length === 0) return 'unknown';
  return reasons.every(({ reason }) => reason?.endsWith('KeyRangeThroughputExceeded'))
    ? 'key'
    : 'table';
}

/** The client's configuration. It sets all options that the SDK would read from files. */
function configuration(
  environment: Environment,
  endpoint: string | undefined,
  maxAttempts: number,
): DynamoDBClientConfig {
  const {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  } = environment;
  const { AWS_SESSION_TOKEN: sessionToken } = environment;
  const attemptMs = maxAttempts === 1 ? ONLY_ATTEMPT_MS : ATTEMPT_MS;
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(accessKeyId && secretAccessKey
      ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } }
      : {}),
    maxAttempts,
    requestHandler: {
      connectionTimeout: maxAttempts === 1 ? ONLY_ATTEMPT_MS : CONNECT_MS,
      requestTimeout: attemptMs,
      socketTimeout: attemptMs,
      throwOnRequestTimeout: true,
    },
    cacheMiddleware: true,
    // From here on, these are the SDK's defaults. An unset option makes the SDK read ~/.aws/config,
    // which costs several ms per cold start.
    ignoreConfiguredEndpointUrls: true,
    retryMode: 'standard',
    defaultsMode: 'legacy',
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    disableClockSkewCorrection: false,
    endpointDiscoveryEnabled: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: 'market-data-proxy',
  };
}
