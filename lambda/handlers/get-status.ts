import { readEnvironment } from '../contract/environment.ts';
import { DynamoDbUpstreamMemoryStore } from '../drift/dynamodb-upstream-memory-store.ts';
import { getStatus } from '../endpoints/get-status.ts';
import type { UpstreamState } from '../endpoints/ports.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { LoadCache } from '../platform/load-cache.ts';
import { telemetry } from '../platform/telemetry.ts';
import { freshnessRule } from '../snapshots/create-snapshot-cache.ts';
import { LatestPointer } from '../snapshots/latest-pointer.ts';
import { SnapshotReader } from '../snapshots/snapshot-reader.ts';

/** It changes when the upstream does. */
const UPSTREAM_KEPT_MS = 60_000;

const settings = readEnvironment('get-status', process.env);
const { logger } = telemetry('get-status');
const rule = freshnessRule(settings);
const source = new SnapshotReader({
  client: dynamoDbClient(),
  table: settings.SNAPSHOT_TABLE,
  now: systemClock.now,
});

const memory = new DynamoDbUpstreamMemoryStore(dynamoDbClient(), settings.SNAPSHOT_TABLE, systemClock);
const memories = new LoadCache<UpstreamState | undefined>({
  clock: systemClock,
  keptMs: UPSTREAM_KEPT_MS,
  maxEntries: 1,
  maxSize: 1,
  sizeOf: () => 1,
});
/** The status is told without it when it cannot be read: it is asked for when something is wrong. */
const upstream = () =>
  memories
    .get('upstream', () => memory.read())
    .then(
      ({ value }) => value,
      () => undefined,
    );

export const handler = pipeline({
  route: 'get-status',
  logger,
  endpoint: getStatus({
    pointer: new LatestPointer(source, systemClock, rule),
    rule,
    refreshIntervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
    version: settings.SERVICE_VERSION,
    simulated: settings.CLOB_URL,
    upstream,
    now: systemClock.now,
  }),
});
