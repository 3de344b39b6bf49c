import { type CreateHandler, limitedHandler, snapshotDeps } from '../app/create-handler.ts';
import { listMarketChanges } from '../app/markets/market-changes.ts';

// Clients that poll every few minutes find their old snapshot in memory.
export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-market-changes', (context) =>
    listMarketChanges(snapshotDeps(context, { olderCacheSize: 4 })),
  );
