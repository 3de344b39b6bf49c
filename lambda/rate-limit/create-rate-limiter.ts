import { randomBytes } from 'node:crypto';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { systemClock } from '../platform/clock.ts';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import { ClientKeys } from './client-key.ts';
import { rateLimitReports } from './rate-limit-reports.ts';
import { DynamoDbRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { RequestLog } from './request-log.ts';

interface RateLimitSettings {
  readonly RATE_LIMIT_TABLE: string;
  readonly REQUESTS_PER_MINUTE: number | 'off';
}

/**
 * The rate limiter of a counted endpoint; undefined where the limit is off. Awaited on loading, so that the first
 * request finds a connection to the table.
 */
export async function createRateLimiter(options: {
  readonly settings: RateLimitSettings;
  readonly client: DynamoDBClient;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}): Promise<RateLimiter | undefined> {
  const { settings, client, logger, metrics } = options;
  const limit = settings.REQUESTS_PER_MINUTE;
  if (limit === 'off') return undefined;
  const store = { client, table: settings.RATE_LIMIT_TABLE, randomBytes };
  const limiter = new DynamoDbRateLimiter({
    limit,
    keys: new ClientKeys(store),
    log: new RequestLog(store),
    clock: systemClock,
    ...rateLimitReports(logger, metrics, systemClock.now),
  });
  await limiter.prepare();
  return limiter;
}
