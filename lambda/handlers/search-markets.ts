import { searchMarkets } from '../endpoints/list-markets.ts';
import { SearchIndexer } from '../search/search-index.ts';
import { type CreateHandler, countedHandler, snapshotDeps } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'search-markets', (context) =>
    searchMarkets(snapshotDeps(context, { indexer: new SearchIndexer() })),
  );
