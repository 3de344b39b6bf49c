import { pipeline } from '../http/pipeline.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { readEnvironment } from '../platform/environment.ts';
import { telemetry } from '../platform/telemetry.ts';
import { LatestPointer } from '../snapshots/latest-pointer.ts';
import { SnapshotReader } from '../snapshots/snapshot-reader.ts';
import { type CreateHandler, statusEndpoint } from './create-handler.ts';

export const create: CreateHandler = (environment) => {
  const settings = readEnvironment('get-status', environment);
  const { logger } = telemetry('get-status', environment);
  const client = dynamoDbClient(environment);
  const reader = new SnapshotReader({ client, table: settings.SNAPSHOT_TABLE, now: clock.now });
  const endpoint = statusEndpoint(settings, new LatestPointer(reader, clock));
  return pipeline({ route: 'get-status', logger, endpoint });
};
