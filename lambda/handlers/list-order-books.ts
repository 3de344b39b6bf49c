import { readEnvironment } from '../contract/environment.ts';
import { listOrderBooks } from '../endpoints/list-order-books.ts';
import { orderBookCache } from '../endpoints/live-books.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobBooks } from '../polymarket/clob-books.ts';
import { createLiveClob } from '../polymarket/create-live-upstreams.ts';

const settings = readEnvironment('list-order-books', process.env);
const { logger, metrics } = telemetry('list-order-books');
const { upstream, live } = createLiveClob(settings.CLOB_URL, { logger, metrics });

export const handler = pipeline({
  route: 'list-order-books',
  logger,
  rateLimit: await createCallerLimit({ settings, client: dynamoDbClient(), logger, metrics }),
  endpoint: listOrderBooks({
    books: new ClobBooks(upstream),
    live,
    cache: orderBookCache(systemClock),
    edgeCache: settings.EDGE_CACHE,
  }),
});
