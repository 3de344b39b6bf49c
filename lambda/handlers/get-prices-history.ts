import { readEnvironment } from '../contract/environment.ts';
import { getPricesHistory, historyCache } from '../endpoints/get-prices-history.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { createLiveHistories } from '../polymarket/create-live-histories.ts';
import { createLiveUpstreams } from '../polymarket/create-live-upstreams.ts';
import { createRememberedHistory } from '../price-memory/create-remembered-history.ts';

const settings = readEnvironment('get-prices-history', process.env);
const { logger, metrics } = telemetry('get-prices-history');
const shared = { settings, client: dynamoDbClient(), logger, metrics };
const { upstreams, live } = createLiveUpstreams(
  { clob: settings.CLOB_URL, data: settings.DATA_URL },
  { logger, metrics },
);

export const handler = pipeline({
  route: 'get-prices-history',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: getPricesHistory({
    histories: createLiveHistories(upstreams, systemClock),
    remembered: createRememberedHistory(shared),
    live,
    cache: historyCache(systemClock),
    clock: systemClock,
    edgeCache: settings.EDGE_CACHE,
  }),
});
