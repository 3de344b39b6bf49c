import { randomBytes } from 'node:crypto';
import { systemClock } from '../platform/clock.ts';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import type { Log } from '../platform/log.ts';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import { ClientCounter } from './client-counter.ts';
import { ClientKeys } from './client-key.ts';
import { DynamoDbRequestLog } from './dynamodb-request-log.ts';
import { NetworkLimit } from './network-limit.ts';
import { rateLimitReports } from './rate-limit-reports.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { WindowRateLimiter } from './window-rate-limiter.ts';

interface RateLimitSettings {
  readonly RATE_LIMIT_TABLE: string;
  readonly REQUESTS_PER_MINUTE: number | 'off';
}

export interface RateLimiterOptions {
  readonly settings: RateLimitSettings;
  readonly client: DynamoDb;
  readonly logger: Log;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
}

/**
 * The rate limiter of a counted endpoint; undefined where the limit is off. Awaited on loading, so that the first
 * request finds a connection to the table.
 */
export async function createRateLimiter(options: RateLimiterOptions): Promise<RateLimiter | undefined> {
  const { settings, client, logger, metrics } = options;
  const limit = settings.REQUESTS_PER_MINUTE;
  if (limit === 'off') return undefined;
  const store = { client, table: settings.RATE_LIMIT_TABLE };
  const counter = {
    limit,
    log: new DynamoDbRequestLog(store),
    now: systemClock.now,
    randomBytes,
  };
  const limiter = new WindowRateLimiter({
    keys: new ClientKeys({ ...store, randomBytes }),
    addresses: new ClientCounter(counter),
    networks: new NetworkLimit({ samples: new ClientCounter(counter), random: Math.random }),
    clock: systemClock,
    ...rateLimitReports(logger, metrics, systemClock),
  });
  await limiter.prepare();
  return limiter;
}
