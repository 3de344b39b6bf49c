import { dynamoDbClient } from '../aws/dynamodb.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../contract/environment.ts';
import { listMarkets } from '../endpoints/list-markets.ts';
import { endpoint } from '../http/endpoint.ts';
import { perIpAccess } from '../limits/access.ts';
import { telemetry } from '../observability/telemetry.ts';
import { snapshotCache } from '../snapshots/reading.ts';

const settings = readEnvironment('list-markets', process.env);
const { logger, metrics } = telemetry('list-markets');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { cache, rule } = snapshotCache({ ...shared, view: ({ list }) => list });
cache.warm();

export const handler = endpoint({
  route: 'list-markets',
  logger,
  access: await perIpAccess(shared),
  answer: listMarkets({ cache, rule, now: systemClock.now, edgeCache: settings.EDGE_CACHE }),
});
