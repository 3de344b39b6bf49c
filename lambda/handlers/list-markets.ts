import { listMarkets } from '../endpoints/markets/market-lists.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create = limitedHandler('list-markets', (context) =>
  listMarkets(snapshotDeps(context, { olderCacheSize: 2 })),
);
