import { readEnvironment } from '../contract/environment.ts';
import { isSimulated } from '../contract/upstreams.ts';
import { getEvent } from '../endpoints/get-event.ts';
import { getMarket } from '../endpoints/get-market.ts';
import { getOrderBook } from '../endpoints/get-order-book.ts';
import { getPricesHistory, historyCache } from '../endpoints/get-prices-history.ts';
import { getStatus } from '../endpoints/get-status.ts';
import { listMarkets } from '../endpoints/list-markets.ts';
import { orderBookCache } from '../endpoints/live-books.ts';
import { mcp } from '../endpoints/mcp.ts';
import { searchableSnapshots, searchMarkets } from '../endpoints/search-markets.ts';
import { createCallerLimit } from '../http/create-caller-limit.ts';
import { errorLog } from '../http/error-log.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb/create-client.ts';
import { telemetry } from '../platform/telemetry.ts';
import { ClobBooks } from '../polymarket/clob-books.ts';
import { createLiveHistories } from '../polymarket/create-live-histories.ts';
import { createLiveUpstreams } from '../polymarket/create-live-upstreams.ts';
import { createRememberedHistory } from '../price-memory/create-remembered-history.ts';
import { EventTable } from '../query/event-table.ts';
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
  withTerms: true,
});
cache.warm();
const { upstreams, live } = createLiveUpstreams(
  { clob: settings.CLOB_URL, data: settings.DATA_URL },
  { logger, metrics },
);
const source = new SnapshotReader({ client, table: settings.SNAPSHOT_TABLE, now });
const tables = mapSnapshots(cache, ({ table }) => table);
const common = { rule, now, edgeCache: settings.EDGE_CACHE };

export const handler = pipeline({
  route: 'mcp',
  logger,
  rateLimit: await createCallerLimit(shared),
  endpoint: mcp({
    now,
    log: errorLog(logger, systemClock),
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
        remembered: createRememberedHistory(shared),
        live,
        cache: historyCache(systemClock),
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
