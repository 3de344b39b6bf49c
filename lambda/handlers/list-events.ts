import { readEnvironment } from '../contract/environment.ts';
import { listEvents, searchableEvents } from '../endpoints/list-events.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';

const settings = readEnvironment('list-events', process.env);
const { logger, metrics } = telemetry('list-events');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: searchableEvents(), olderHeld: 1, withTerms: true });
cache.warm();

export const handler = pipeline({
  route: 'list-events',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: listEvents({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
