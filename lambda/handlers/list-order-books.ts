import { readEnvironment } from '../contract/environment.ts';
import { listOrderBooks } from '../endpoints/list-order-books.ts';
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

const settings = readEnvironment('list-order-books', process.env);
const { logger, metrics } = telemetry('list-order-books');
const { upstream, live } = liveClob({
  baseUrl: settings.CLOB_URL,
  fetch: createNodeFetch(),
  clock: systemClock,
  random: Math.random,
  logger,
  metrics,
});
const rateLimit = {
  callers: callerRules(settings),
  limiter: await createRateLimiter({ settings, client: dynamoDbClient(), logger, metrics }),
  now: systemClock.now,
};
const options = {
  books: new ClobBooks(upstream),
  live,
  cache: orderBookCache(systemClock),
  edgeCache: settings.EDGE_CACHE,
};

export const handler = pipeline({
  route: 'list-order-books',
  logger,
  rateLimit,
  endpoint: listOrderBooks(options),
});
