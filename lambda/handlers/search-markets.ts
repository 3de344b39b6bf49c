import { searchMarkets } from '../endpoints/list-markets.ts';
import { SearchIndexer } from '../search/search-index.ts';
import { snapshotHandler } from './create-handler.ts';

export const handler = snapshotHandler('search-markets', searchMarkets, { indexer: new SearchIndexer() });
