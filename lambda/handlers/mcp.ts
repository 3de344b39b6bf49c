import { getPricesHistory } from '../app/histories/prices-history.ts';
import { errorLog } from '../app/http/error-response.ts';
import { listMarkets, searchMarkets } from '../app/markets/market-lists.ts';
import { getMarket } from '../app/markets/single-market.ts';
import { getOrderBook } from '../app/order-books/order-books.ts';
import { getStatus } from '../app/status/status.ts';
import { SearchIndex } from '../core/search/search-index.ts';
import { getEvent, listEvents } from '../extras/events/events.ts';
import { withRules } from '../extras/mcp/market-with-rules.ts';
import { mcp } from '../extras/mcp/mcp-endpoint.ts';
import { getMarketRules } from '../extras/rules/market-rules.ts';
import { systemClock as clock } from '../io/platform/clock.ts';
import { historyDeps } from './wiring/histories.ts';
import { limitedHandler } from './wiring/limited.ts';
import { bookDeps } from './wiring/live.ts';
import { marketRulesDeps } from './wiring/rules.ts';
import { snapshotDeps } from './wiring/snapshot.ts';
import { liveUnlistedMarkets } from './wiring/unlisted.ts';

/** Tools call the endpoints directly and share this container's snapshots. */
export const create = limitedHandler('mcp', (context) => {
  const deps = snapshotDeps(context, { searchIndex: new SearchIndex() });
  const endpoints = {
    'search-markets': searchMarkets(deps),
    'list-markets': listMarkets(deps),
    'get-market': withRules(getMarket(deps, liveUnlistedMarkets(context)), getMarketRules(marketRulesDeps(context))),
    'list-events': listEvents(deps),
    'get-event': getEvent(deps),
    'get-order-book': getOrderBook(bookDeps(context)),
    'get-prices-history': getPricesHistory(historyDeps(context)),
    'get-status': getStatus({ snapshots: deps.snapshots.pointer, settings: context.settings, now: clock.now }),
  };
  return mcp({ now: clock.now, log: errorLog(context.logger, clock), endpoints });
});
