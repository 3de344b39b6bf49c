import { getMarket } from '../endpoints/get-market.ts';
import { getPricesHistory } from '../endpoints/get-prices-history.ts';
import { getStatus } from '../endpoints/get-status.ts';
import { getEvent } from '../endpoints/list-events.ts';
import { listMarkets, searchMarkets } from '../endpoints/list-markets.ts';
import { mcp } from '../endpoints/mcp.ts';
import { getOrderBook } from '../endpoints/order-books.ts';
import { errorLog } from '../http/error-log.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { PriceHistories } from '../polymarket/price-histories.ts';
import { SearchIndexer } from '../search/search-index.ts';
import { createSnapshotCache } from '../snapshots/snapshot-cache.ts';
import { isSimulated } from '../upstream/upstreams.ts';
import { type CreateHandler, countedContext, liveBooks, liveUnlistedMarkets, liveUpstream } from './create-handler.ts';

/** The tools call the endpoints themselves. They share the snapshots and the order books of this container. */
export const create: CreateHandler = (environment) => {
  const { settings, logger, rateLimit } = countedContext('mcp', environment);
  const { now } = clock;
  const client = dynamoDbClient(environment);
  const indexer = new SearchIndexer();
  const snapshots = createSnapshotCache({ client, table: settings.SNAPSHOT_TABLE, logger, indexer });
  snapshots.warm();
  const clob = liveUpstream('clob', settings.CLOB_URL, logger);
  const data = liveUpstream('data', settings.DATA_URL, logger);
  const books = liveBooks(clob);
  const histories = new PriceHistories({ clob, data, clock });
  const endpoints = {
    'search-markets': searchMarkets({ snapshots, now }),
    'list-markets': listMarkets({ snapshots, now }),
    'get-market': getMarket({ snapshots, now }, liveUnlistedMarkets(settings, logger)),
    'get-event': getEvent({ snapshots, now }),
    'get-order-book': getOrderBook(books),
    'get-prices-history': getPricesHistory({ histories, live: books.live, clock }),
    'get-status': getStatus({
      snapshots: snapshots.pointer,
      version: settings.SERVICE_VERSION,
      refreshIntervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
      simulated: isSimulated(settings.CLOB_URL),
      now,
    }),
  };
  return pipeline({ route: 'mcp', logger, rateLimit, endpoint: mcp({ now, log: errorLog(logger, clock), endpoints }) });
};
