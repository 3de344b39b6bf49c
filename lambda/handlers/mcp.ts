import { getMarket } from '../endpoints/get-market.ts';
import { getPricesHistory } from '../endpoints/get-prices-history.ts';
import { getEvent } from '../endpoints/list-events.ts';
import { listMarkets, searchMarkets } from '../endpoints/list-markets.ts';
import { mcp } from '../endpoints/mcp.ts';
import { getOrderBook } from '../endpoints/order-books.ts';
import { errorLog } from '../http/error-log.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { SearchIndexer } from '../search/search-index.ts';
import {
  bookDeps,
  type CreateHandler,
  countedHandler,
  historyDeps,
  liveUnlistedMarkets,
  snapshotDeps,
} from './create-handler.ts';
import { statusEndpoint } from './get-status.ts';

/** The tools call the endpoints themselves. They share the snapshots of this container. */
export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'mcp', (context) => {
    const deps = snapshotDeps(context, { indexer: new SearchIndexer() });
    const endpoints = {
      'search-markets': searchMarkets(deps),
      'list-markets': listMarkets(deps),
      'get-market': getMarket(deps, liveUnlistedMarkets(context)),
      'get-event': getEvent(deps),
      'get-order-book': getOrderBook(bookDeps(context)),
      'get-prices-history': getPricesHistory(historyDeps(context)),
      'get-status': statusEndpoint(context.settings, deps.snapshots.pointer),
    };
    return mcp({ now: clock.now, log: errorLog(context.logger, clock), endpoints });
  });
