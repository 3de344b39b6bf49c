import { searchMarkets } from '../endpoints/list-markets.ts';
import { SearchIndexer } from '../search/search-index.ts';
import { type CreateHandler, snapshotHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  snapshotHandler(environment, 'search-markets', searchMarkets, { indexer: new SearchIndexer() });
