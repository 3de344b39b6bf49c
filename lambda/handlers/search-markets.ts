import { type CreateHandler, limitedHandler, snapshotDeps } from '../app/create-handler.ts';
import { searchMarkets } from '../app/markets/market-lists.ts';
import { SearchIndexer } from '../core/search/search-index.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'search-markets', (context) =>
    searchMarkets(snapshotDeps(context, { indexer: new SearchIndexer() })),
  );
