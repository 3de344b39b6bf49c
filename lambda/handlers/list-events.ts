import { listEvents } from '../endpoints/list-events.ts';
import { SearchIndexer } from '../search/search-index.ts';
import { type CreateHandler, snapshotHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  snapshotHandler(environment, 'list-events', listEvents, { indexer: new SearchIndexer(), olderCacheSize: 1 });
