import { listEvents } from '../endpoints/list-events.ts';
import { SearchIndexer } from '../search/search-index.ts';
import { type CreateHandler, countedHandler, snapshotDeps } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-events', (context) =>
    listEvents(snapshotDeps(context, { indexer: new SearchIndexer(), olderCacheSize: 1 })),
  );
