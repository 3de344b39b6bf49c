import { readEnvironment } from '../contract/environment.ts';
import { searchableSnapshots, searchMarkets } from '../endpoints/search-markets.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';

const settings = readEnvironment('search-markets', process.env);
const { logger, metrics } = telemetry('search-markets');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({
  ...shared,
  view: searchableSnapshots(),
  olderHeld: 0,
  withTerms: true,
});
cache.warm();

export const handler = pipeline({
  route: 'search-markets',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: searchMarkets({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
