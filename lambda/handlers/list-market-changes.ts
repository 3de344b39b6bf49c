import { readEnvironment } from '../contract/environment.ts';
import { changesSnapshot, listMarketChanges } from '../endpoints/list-market-changes.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';

/** Lists held beside the newest: who polls every few minutes finds theirs in memory. */
const OLDER_LISTS = 4;

const settings = readEnvironment('list-market-changes', process.env);
const { logger, metrics } = telemetry('list-market-changes');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: changesSnapshot, olderHeld: OLDER_LISTS });
cache.warm();

export const handler = pipeline({
  route: 'list-market-changes',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: listMarketChanges({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
