import { randomBytes } from 'node:crypto';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { systemClock } from '../clock.ts';
import { type Access, perIpGate } from '../http/per-ip-gate.ts';
import type { ServiceMetrics } from '../observability/telemetry.ts';
import { CallerNames } from './caller-names.ts';
import { limitReports } from './limit-reports.ts';
import { RequestLog } from './request-log.ts';
import { TableLimit } from './table-limit.ts';

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
