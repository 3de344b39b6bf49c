import { readEnvironment } from '../contract/environment.ts';
import { getOrderBook } from '../endpoints/get-order-book.ts';
import { orderBookCache } from '../endpoints/live-books.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobBooks } from '../polymarket/clob-books.ts';
import { createLiveClob } from '../polymarket/create-live-upstreams.ts';

const settings = readEnvironment('get-order-book', process.env);
const { logger, metrics } = telemetry('get-order-book');
const { upstream, live } = createLiveClob(settings.CLOB_URL, { logger, metrics });

export const handler = pipeline({
  route: 'get-order-book',
  logger,
  rateLimit: await createCallerLimit({ settings, client: dynamoDbClient(), logger, metrics }),
  endpoint: getOrderBook({
    books: new ClobBooks(upstream),
    live,
    cache: orderBookCache(systemClock),
    edgeCache: settings.EDGE_CACHE,
  }),
});
