import { HISTORIES_HELD, HISTORY_CHARACTERS_HELD, HISTORY_KEPT_MS } from '../contract/constants.ts';
import { readEnvironment } from '../contract/environment.ts';
import { isSimulated } from '../contract/upstreams.ts';
import { getEvent } from '../endpoints/get-event.ts';
import { getMarket } from '../endpoints/get-market.ts';
import { getOrderBook } from '../endpoints/get-order-book.ts';
import { type EncodedHistory, getPricesHistory } from '../endpoints/get-prices-history.ts';
import { getStatus } from '../endpoints/get-status.ts';
import { listMarkets } from '../endpoints/list-markets.ts';
import { orderBookCache } from '../endpoints/live-books.ts';
import { mcp } from '../endpoints/mcp.ts';
import { searchableSnapshots, searchMarkets } from '../endpoints/search-markets.ts';
import { callerRules } from '../http/caller.ts';
import { pipeline } from '../http/pipeline.ts';
import { createNodeFetch } from '../http-client/node-fetch.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { LoadCache } from '../platform/load-cache.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobBooks } from '../polymarket/clob-books.ts';
import { createLiveHistories } from '../polymarket/create-live-histories.ts';
import { liveUpstreams } from '../polymarket/live-upstreams.ts';
import { DynamoDbMemoryStore } from '../price-memory/memory-store.ts';
import { RememberedHistory } from '../price-memory/remembered-history.ts';
import { EventTable } from '../query/event-table.ts';
import { createRateLimiter } from '../rate-limit/create-rate-limiter.ts';
import { snapshotCache } from '../snapshots/create-snapshot-cache.ts';
import { LatestPointer } from '../snapshots/latest-pointer.ts';
import { mapSnapshots } from '../snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../snapshots/snapshot-reader.ts';

const settings = readEnvironment('mcp', process.env);
const { logger, metrics } = telemetry('mcp');
const client = dynamoDbClient();
const { now } = systemClock;
const shared = { settings, client, logger, metrics };
const searchable = searchableSnapshots();
const { cache, rule } = snapshotCache({
  ...shared,
  view: (decoded) => {
    const { table, index } = searchable(decoded);
    return { table, index, events: new EventTable(table) };
  },
  olderHeld: 0,
});
cache.warm();
const { upstreams, live } = liveUpstreams({
  urls: { clob: settings.CLOB_URL, data: settings.DATA_URL },
  fetch: createNodeFetch(),
  clock: systemClock,
  random: Math.random,
  logger,
  metrics,
});
const source = new SnapshotReader({ client, table: settings.SNAPSHOT_TABLE, now });
const tables = mapSnapshots(cache, ({ table }) => table);
const common = { rule, now, edgeCache: settings.EDGE_CACHE };

export const handler = pipeline({
  route: 'mcp',
  logger,
  rateLimit: { callers: callerRules(settings), limiter: await createRateLimiter(shared), now },
  endpoint: mcp({
    now,
    onError: (tool, error) => logger.warn('A tool failed', { tool, error: error as Error }),
    endpoints: {
      'search-markets': searchMarkets({ ...common, cache }),
      'list-markets': listMarkets({ ...common, cache: tables }),
      'get-market': getMarket({ ...common, cache: tables }),
      'get-event': getEvent({ ...common, cache }),
      'get-order-book': getOrderBook({
        books: new ClobBooks(upstreams.clob),
        live,
        cache: orderBookCache(systemClock),
        edgeCache: settings.EDGE_CACHE,
      }),
      'get-prices-history': getPricesHistory({
        histories: createLiveHistories(upstreams, systemClock),
        remembered: new RememberedHistory({
          store: new DynamoDbMemoryStore({ client, table: settings.SNAPSHOT_TABLE, now }),
          now,
          onProblem: (message, error) => logger.warn(message, { error: error as Error }),
        }),
        live,
        cache: new LoadCache<EncodedHistory>({
          clock: systemClock,
          keptMs: HISTORY_KEPT_MS,
          maxEntries: HISTORIES_HELD,
          maxSize: HISTORY_CHARACTERS_HELD,
          sizeOf: ({ body }) => body.length,
        }),
        clock: systemClock,
        edgeCache: settings.EDGE_CACHE,
      }),
      'get-status': getStatus({
        pointer: new LatestPointer(source, systemClock, rule),
        rule,
        refreshIntervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
        version: settings.SERVICE_VERSION,
        simulated: isSimulated(settings.CLOB_URL),
        // The tool tells of the data; what is known of the upstream is for people, at /api/status.
        upstream: async () => undefined,
        now,
      }),
    },
  }),
});
