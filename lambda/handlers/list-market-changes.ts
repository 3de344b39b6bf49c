import { listMarketChanges } from '../endpoints/list-market-changes.ts';
import { snapshotHandler } from './create-handler.ts';

// A client that polls every few minutes finds its former snapshot in memory.
export const handler = snapshotHandler('list-market-changes', listMarketChanges, { olderCacheSize: 4 });
