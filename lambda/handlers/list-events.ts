import { readEnvironment } from '../contract/environment.ts';
import { eventsSnapshots, listEvents } from '../endpoints/list-events.ts';
import { callerRules } from '../http/caller.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { createRateLimiter } from '../rate-limit/create-rate-limiter.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';

const settings = readEnvironment('list-events', process.env);
const { logger, metrics } = telemetry('list-events');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: eventsSnapshots(), olderHeld: 1 });
cache.warm();

export const handler = pipeline({
  route: 'list-events',
  logger,
  rateLimit: {
    callers: callerRules(settings),
    limiter: await createRateLimiter(shared),
    now: systemClock.now,
  },
  endpoint: listEvents({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
