import { type CreateHandler, limitedHandler, snapshotDeps } from '../app/create-handler.ts';
import { listEvents } from '../app/events/events.ts';
import { SearchIndexer } from '../core/search/search-index.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-events', (context) =>
    listEvents(snapshotDeps(context, { indexer: new SearchIndexer(), olderCacheSize: 1 })),
  );
