import { getStatus, type SnapshotStatusSource } from '../endpoints/get-status.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { type ParsedEnvironment, readEnvironment } from '../platform/environment.ts';
import { telemetry } from '../platform/telemetry.ts';
import { LatestPointer } from '../snapshots/latest-pointer.ts';
import { SnapshotReader } from '../snapshots/snapshot-reader.ts';
import { isSimulated } from '../upstream/upstreams.ts';
import type { CreateHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) => {
  const settings = readEnvironment('get-status', environment);
  const { logger } = telemetry('get-status', environment);
  const client = dynamoDbClient(environment);
  const reader = new SnapshotReader({ client, table: settings.SNAPSHOT_TABLE, now: clock.now });
  const endpoint = statusEndpoint(settings, new LatestPointer(reader, clock));
  return pipeline({ route: 'get-status', logger, endpoint });
};

export function statusEndpoint(settings: ParsedEnvironment<'get-status'>, snapshots: SnapshotStatusSource) {
  return getStatus({
    snapshots,
    version: settings.SERVICE_VERSION,
    refreshIntervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
    simulated: isSimulated(settings.CLOB_URL),
    now: clock.now,
  });
}
