import { listMarketChanges } from '../endpoints/list-market-changes.ts';
import { type CreateHandler, snapshotHandler } from './create-handler.ts';

// A client that polls every few minutes finds its former snapshot in memory.
export const create: CreateHandler = (environment) =>
  snapshotHandler(environment, 'list-market-changes', listMarketChanges, { olderCacheSize: 4 });
