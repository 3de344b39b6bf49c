/** Clients of DynamoDB, which stores the snapshots and the counts of the rate limit. */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { fieldIf } from '../../core/domain/values.ts';
import type { Environment } from './environment.ts';

/**
 * The attempts of a call by default. DynamoDB responds within milliseconds, and three attempts with
 * these time-outs fit into a function's time-out of 10 s.
 */
const DEFAULT_ATTEMPTS = 3;
const RETRIED_ATTEMPT = { connectMs: 1_000, responseMs: 1_500 } as const;

/**
 * The time-outs of clients that do not retry. They are long, because callers end calls earlier with
 * `withTimeout`, which does not count the time in which this process is busy. The SDK's timers do.
 */
const ONLY_ATTEMPT = { connectMs: 20_000, responseMs: 20_000 } as const;

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
 * @param options `maxAttempts` includes the first attempt; 1 means no retries
 */
export function dynamoDbClient(
  environment: Environment,
  options: { maxAttempts?: number } = {},
): DynamoDBClient {
  const { maxAttempts = DEFAULT_ATTEMPTS } = options;
  const endpoint = environment.AWS_ENDPOINT_URL_DYNAMODB ?? environment.AWS_ENDPOINT_URL;
  const key = `${maxAttempts} ${endpoint}`;
  const existing = clients.get(key);
  if (existing) return existing;
  const client = new DynamoDBClient({
    ...fieldIf('endpoint', endpoint),
    ...fieldIf('region', environment.AWS_REGION),
    ...fieldIf('credentials', credentialsOf(environment)),
    maxAttempts,
    requestHandler: timeoutsFor(maxAttempts),
    cacheMiddleware: true,
    ...SDK_DEFAULTS,
  });
  clients.set(key, client);
  return client;
}

/** The credentials in the variables. Without them, the SDK searches for others. */
function credentialsOf({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
}: Environment) {
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...fieldIf('sessionToken', sessionToken || undefined) };
}

/** The time-outs of each attempt, under the SDK's names. */
function timeoutsFor(maxAttempts: number) {
  const { connectMs, responseMs } = maxAttempts === 1 ? ONLY_ATTEMPT : RETRIED_ATTEMPT;
  return {
    connectionTimeout: connectMs,
    requestTimeout: responseMs,
    socketTimeout: responseMs,
    throwOnRequestTimeout: true,
  };
}

/**
 * The SDK's own defaults. For an option that is not set, the SDK reads ~/.aws/config, which costs
 * several ms per cold start.
 */
const SDK_DEFAULTS: DynamoDBClientConfig = {
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
