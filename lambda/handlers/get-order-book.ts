import { readEnvironment } from '../contract/environment.ts';
import { getOrderBook } from '../endpoints/get-order-book.ts';
import { orderBookCache } from '../endpoints/live-books.ts';
import { callerRules } from '../http/caller.ts';
import { pipeline } from '../http/pipeline.ts';
import { createNodeFetch } from '../http-client/node-fetch.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobBooks } from '../polymarket/clob-books.ts';
import { liveClob } from '../polymarket/clob-client.ts';
import { createRateLimiter } from '../rate-limit/create-rate-limiter.ts';

const settings = readEnvironment('get-order-book', process.env);
const { logger, metrics } = telemetry('get-order-book');
const { upstream, live } = liveClob({
  baseUrl: settings.CLOB_URL,
  fetch: createNodeFetch(),
  clock: systemClock,
  random: Math.random,
  logger,
  metrics,
});

export const handler = pipeline({
  route: 'get-order-book',
  logger,
  rateLimit: {
    callers: callerRules(settings),
    limiter: await createRateLimiter({ settings, client: dynamoDbClient(), logger, metrics }),
    now: systemClock.now,
  },
  endpoint: getOrderBook({
    books: new ClobBooks(upstream),
    live,
    cache: orderBookCache(systemClock),
    edgeCache: settings.EDGE_CACHE,
  }),
});
