import { type CreateHandler, limitedHandler } from '../app/create-handler.ts';
import { getStatus } from '../app/status/status.ts';
import { systemClock as clock } from '../io/platform/clock.ts';
import { dynamoDbClient } from '../io/platform/dynamodb.ts';
import { LatestPointer } from '../io/snapshots/latest-pointer.ts';
import { SnapshotReader } from '../io/snapshots/snapshot-reader.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-status', ({ settings }) => {
    const client = dynamoDbClient(environment);
    const reader = new SnapshotReader({ client, table: settings.SNAPSHOT_TABLE, now: clock.now });
    return getStatus({ snapshots: new LatestPointer(reader, clock), settings, now: clock.now });
  });
