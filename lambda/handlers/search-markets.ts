import { dynamoDbClient } from '../aws/dynamodb.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../contract/environment.ts';
import { searchableSnapshot, searchMarkets } from '../endpoints/search-markets.ts';
import { endpoint } from '../http/endpoint.ts';
import { perIpAccess } from '../limits/access.ts';
import { telemetry } from '../observability/telemetry.ts';
import { snapshotCache } from '../snapshots/reading.ts';

const settings = readEnvironment('search-markets', process.env);
const { logger, metrics } = telemetry('search-markets');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: searchableSnapshot });
cache.warm();

export const handler = endpoint({
  route: 'search-markets',
  logger,
  access: await perIpAccess(shared),
  answer: searchMarkets({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
