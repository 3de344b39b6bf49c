import { getStatus } from '../endpoints/status/status.ts';
import { systemClock as clock } from '../io/platform/clock.ts';
import { dynamoDbClient } from '../io/platform/dynamodb.ts';
import { LatestPointer } from '../io/snapshots/latest-pointer.ts';
import { PointerReader } from '../io/snapshots/pointer-reader.ts';
import { limitedHandler } from './wiring/limited.ts';

/** Makes the handler that returns the state of the service. It reads no whole snapshot. */
export const create = limitedHandler('get-status', ({ environment, settings }) => {
  const client = dynamoDbClient(environment);
  const reader = new PointerReader({ client, table: settings.SNAPSHOT_TABLE });
  return getStatus({ snapshots: new LatestPointer(reader, clock), settings, now: clock.now });
});
