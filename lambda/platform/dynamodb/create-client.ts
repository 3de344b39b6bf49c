import { systemClock } from '../clock.ts';
import { DynamoDbClient } from './client.ts';

/**
 * That an attempt has, ms. The deadline is short: DynamoDB responds in milliseconds or not at all, and behind most calls
 * a caller is waiting, who is to have a 502 within the 10 s of a function.
 */
const ATTEMPT_MS = 1_500;

type Environment = Readonly<Record<string, string | undefined>>;

/** One client a container, with the credentials and the region that Lambda puts into the environment of a function. */
export function dynamoDbClient(maxAttempts = 3, environment: Environment = process.env): DynamoDbClient {
  const { AWS_REGION: region = '', AWS_SESSION_TOKEN: sessionToken } = environment;
  return new DynamoDbClient({
    endpoint: endpointOf(environment),
    region,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    clock: systemClock,
    random: Math.random,
    maxAttempts,
    attemptMs: ATTEMPT_MS,
  });
}

/** Where the environment says, as it does on a laptop, or the service of the region. */
export function endpointOf(environment: Environment): string {
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_DYNAMODB } = environment;
  const regional = `https://dynamodb.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return AWS_ENDPOINT_URL_DYNAMODB ?? AWS_ENDPOINT_URL ?? regional;
}
