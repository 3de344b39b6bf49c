import { readEnvironment } from '../contract/environment.ts';
import { eventSnapshot, getEvent } from '../endpoints/get-event.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';

const settings = readEnvironment('get-event', process.env);
const { logger, metrics } = telemetry('get-event');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: eventSnapshot, olderHeld: 0 });
cache.warm();

export const handler = pipeline({
  route: 'get-event',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: getEvent({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
