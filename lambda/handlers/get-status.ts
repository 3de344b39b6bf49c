import { dynamoDbClient } from '../aws/dynamodb.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../contract/environment.ts';
import { getStatus } from '../endpoints/get-status.ts';
import { endpoint } from '../http/endpoint.ts';
import { telemetry } from '../observability/telemetry.ts';
import { LatestPointer } from '../snapshots/latest-pointer.ts';
import { freshnessRule } from '../snapshots/reading.ts';
import { SnapshotReader } from '../snapshots/snapshot-reader.ts';

const settings = readEnvironment('get-status', process.env);
const { logger } = telemetry('get-status');
const rule = freshnessRule(settings);
const source = new SnapshotReader({
  client: dynamoDbClient(),
  table: settings.SNAPSHOT_TABLE,
  now: systemClock.now,
});

export const handler = endpoint({
  route: 'get-status',
  logger,
  answer: getStatus({
    pointer: new LatestPointer(source, systemClock, rule),
    rule,
    refreshIntervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
    now: systemClock.now,
  }),
});
