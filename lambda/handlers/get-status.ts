import { readEnvironment } from '../contract/environment.ts';
import { getStatus } from '../endpoints/get-status.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { telemetry } from '../platform/telemetry.ts';
import { freshnessRule } from '../snapshots/create-snapshot-cache.ts';
import { LatestPointer } from '../snapshots/latest-pointer.ts';
import { SnapshotReader } from '../snapshots/snapshot-reader.ts';

const settings = readEnvironment('get-status', process.env);
const { logger } = telemetry('get-status');
const rule = freshnessRule(settings);
const source = new SnapshotReader({
  client: dynamoDbClient(),
  table: settings.SNAPSHOT_TABLE,
  now: systemClock.now,
});

export const handler = pipeline({
  route: 'get-status',
  logger,
  endpoint: getStatus({
    pointer: new LatestPointer(source, systemClock, rule),
    rule,
    refreshIntervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
    version: settings.SERVICE_VERSION,
    now: systemClock.now,
  }),
});
