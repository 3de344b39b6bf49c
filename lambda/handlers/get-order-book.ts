import { ORDER_BOOK_CHARACTERS_HELD, ORDER_BOOK_KEPT_MS, ORDER_BOOKS_HELD } from '../contract/constants.ts';
import { readEnvironment } from '../contract/environment.ts';
import type { OrderBook } from '../domain/order-book.ts';
import { getOrderBook } from '../endpoints/get-order-book.ts';
import { callerRules } from '../http/caller.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { LoadCache } from '../platform/load-cache.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobBooks } from '../polymarket/clob-books.ts';
import { liveClob } from '../polymarket/clob-client.ts';
import { createRateLimiter } from '../rate-limit/create-rate-limiter.ts';

const settings = readEnvironment('get-order-book', process.env);
const { logger, metrics } = telemetry('get-order-book');
const { upstream, live } = liveClob({
  baseUrl: settings.CLOB_URL,
  fetch: globalThis.fetch,
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
    cache: new LoadCache<OrderBook | undefined>({
      clock: systemClock,
      keptMs: ORDER_BOOK_KEPT_MS,
      maxEntries: ORDER_BOOKS_HELD,
      maxSize: ORDER_BOOK_CHARACTERS_HELD,
      sizeOf: (book) => JSON.stringify(book ?? null).length,
    }),
    edgeCache: settings.EDGE_CACHE,
  }),
});
