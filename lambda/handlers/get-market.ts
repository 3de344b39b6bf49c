import { readEnvironment } from '../contract/environment.ts';
import { getMarket } from '../endpoints/get-market.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { marketTable } from '../query/market-table.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';

const settings = readEnvironment('get-market', process.env);
const { logger, metrics } = telemetry('get-market');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: marketTable, olderHeld: 0 });
cache.warm();

export const handler = pipeline({
  route: 'get-market',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: getMarket({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
