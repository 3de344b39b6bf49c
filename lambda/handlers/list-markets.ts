import { readEnvironment } from '../contract/environment.ts';
import { listMarkets } from '../endpoints/list-markets.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { marketTable } from '../query/market-table.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';

const settings = readEnvironment('list-markets', process.env);
const { logger, metrics } = telemetry('list-markets');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: marketTable });
cache.warm();

export const handler = pipeline({
  route: 'list-markets',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: listMarkets({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
