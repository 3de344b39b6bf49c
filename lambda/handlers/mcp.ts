import { SearchIndex } from '../core/search/search-index.ts';
import { getEvent, listEvents } from '../endpoints/events/events.ts';
import { getPricesHistory } from '../endpoints/histories/prices-history.ts';
import { listMarkets, searchMarkets } from '../endpoints/markets/market-lists.ts';
import { getMarket } from '../endpoints/markets/single-market.ts';
import { withRules } from '../endpoints/mcp/market-with-rules.ts';
import { mcp } from '../endpoints/mcp/mcp-endpoint.ts';
import { getOrderBook } from '../endpoints/order-books/order-books.ts';
import { getMarketRules } from '../endpoints/rules/market-rules.ts';
import { getStatus } from '../endpoints/status/status.ts';
import { errorLog } from '../http/error-response.ts';
import { systemClock as clock } from '../io/platform/clock.ts';
import { historyDeps } from './wiring/histories.ts';
import { limitedHandler } from './wiring/limited.ts';
import { bookDeps } from './wiring/live.ts';
import { marketRulesDeps } from './wiring/rules.ts';
import { snapshotDeps } from './wiring/snapshot.ts';
import { liveUnlistedMarkets } from './wiring/unlisted.ts';

/**
 * Makes the handler of the MCP server, whose tools language models call (Model Context Protocol). The
 * tools call the endpoints directly, without HTTP, and share this container's snapshots.
 */
export const create = limitedHandler('mcp', (context) => {
  const deps = snapshotDeps(context, { searchIndex: new SearchIndex() });
  const endpoints = {
    'search-markets': searchMarkets(deps),
    'list-markets': listMarkets(deps),
    'get-market': withRules(
      getMarket(deps, liveUnlistedMarkets(context)),
      getMarketRules(marketRulesDeps(context)),
    ),
    'list-events': listEvents(deps),
    'get-event': getEvent(deps),
    'get-order-book': getOrderBook(bookDeps(context)),
    'get-prices-history': getPricesHistory(historyDeps(context)),
    'get-status': getStatus({
      snapshots: deps.snapshots.pointer,
      settings: context.settings,
      now: clock.now,
    }),
  };
  return mcp({
    endpoints,
    now: clock.now,
    simulated: context.settings.SIMULATED,
    log: errorLog(context.logger, clock),
  });
});
