import type { CreateHandler } from '../app/create-handler.ts';
import { pipeline } from '../app/http/pipeline.ts';
import { getStatus } from '../app/status/status.ts';
import { systemClock as clock } from '../io/platform/clock.ts';
import { dynamoDbClient } from '../io/platform/dynamodb.ts';
import { readEnvironment } from '../io/platform/environment.ts';
import { telemetry } from '../io/platform/telemetry.ts';
import { LatestPointer } from '../io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../io/snapshots/snapshot-reader.ts';

export const create: CreateHandler = (environment) => {
  const settings = readEnvironment('get-status', environment);
  const { logger } = telemetry('get-status', environment);
  const client = dynamoDbClient(environment);
  const reader = new SnapshotReader({ client, table: settings.SNAPSHOT_TABLE, now: clock.now });
  const endpoint = getStatus({ snapshots: new LatestPointer(reader, clock), settings, now: clock.now });
  return pipeline({ route: 'get-status', logger, endpoint });
};
