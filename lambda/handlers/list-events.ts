import { listEvents } from '../endpoints/list-events.ts';
import { SearchIndexer } from '../search/search-index.ts';
import { snapshotHandler } from './create-handler.ts';

export const handler = snapshotHandler('list-events', listEvents, { indexer: new SearchIndexer(), olderCacheSize: 1 });
