import { listMarketChanges } from '../endpoints/list-market-changes.ts';
import { type CreateHandler, countedHandler, snapshotDeps } from './create-handler.ts';

// A client that polls every few minutes finds its former snapshot in memory.
export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-market-changes', (context) =>
    listMarketChanges(snapshotDeps(context, { olderCacheSize: 4 })),
  );
