import { type CreateHandler, countedHandler, snapshotDeps } from '../app/create-handler.ts';
import { listEvents } from '../app/events/events.ts';
import { SearchIndexer } from '../core/search/search-index.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-events', (context) =>
    listEvents(snapshotDeps(context, { indexer: new SearchIndexer(), olderCacheSize: 1 })),
  );
