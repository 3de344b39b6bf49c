import { dynamoDbClient } from '../aws/dynamodb.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../contract/environment.ts';
import { ORDER_BOOK_KEPT_MS, ORDER_BOOK_LEVELS_HELD, ORDER_BOOKS_HELD } from '../contract/limits.ts';
import { countLevels, type OrderBook } from '../domain/order-book.ts';
import { getOrderBook } from '../endpoints/get-order-book.ts';
import { endpoint } from '../http/endpoint.ts';
import { perIpAccess } from '../limits/access.ts';
import { telemetry } from '../observability/telemetry.ts';
import { ClobBooks } from '../upstream/clob-books.ts';
import { liveClob } from '../upstream/live-clob.ts';
import { LoadCache } from '../upstream/load-cache.ts';

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

export const handler = endpoint({
  route: 'get-order-book',
  logger,
  access: await perIpAccess({ settings, client: dynamoDbClient(), logger, metrics }),
  answer: getOrderBook({
    books: new ClobBooks(upstream),
    live,
    cache: new LoadCache<OrderBook | undefined>({
      clock: systemClock,
      keptMs: ORDER_BOOK_KEPT_MS,
      maxEntries: ORDER_BOOKS_HELD,
      maxSize: ORDER_BOOK_LEVELS_HELD,
      sizeOf: (book) => (book ? countLevels(book) : 0),
    }),
    edgeCache: settings.EDGE_CACHE,
  }),
});
