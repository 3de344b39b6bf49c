import { randomBytes } from 'node:crypto';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Access, perIpGate } from '../http/rate-limit-middleware.ts';
import { systemClock } from '../platform/clock.ts';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import { CallerNames } from './client-key.ts';
import { limitReports } from './rate-limit-reports.ts';
import { TableLimit } from './rate-limiter.ts';
import { RequestLog } from './request-log.ts';

interface AccessSettings {
  readonly RATE_LIMIT_TABLE: string;
  readonly REQUESTS_PER_MINUTE: number | 'off';
  readonly PUBLIC_API_KEY_ID: string;
}

/** What the handlers of the counted endpoints have in common: who calls, and how often he may. Awaited on loading. */
export async function perIpAccess(options: {
  readonly settings: AccessSettings;
  readonly client: DynamoDBClient;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}): Promise<Access> {
  const { settings, client, logger, metrics } = options;
  const publicKeyId = settings.PUBLIC_API_KEY_ID;
  const limit = settings.REQUESTS_PER_MINUTE;
  if (limit === 'off') return { publicKeyId, gate: undefined };
  const store = { client, table: settings.RATE_LIMIT_TABLE, randomBytes };
  const counter = new TableLimit({
    limit,
    names: new CallerNames(store),
    log: new RequestLog(store),
    clock: systemClock,
    ...limitReports(logger, metrics, systemClock.now),
  });
  await counter.prepare();
  return { publicKeyId, gate: perIpGate(counter, publicKeyId, systemClock.now) };
}
