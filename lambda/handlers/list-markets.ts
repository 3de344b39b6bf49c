import { listMarkets } from '../endpoints/markets/market-lists.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

/**
 * Makes the handler that returns the list of markets, from the newest snapshot. Links to other pages
 * name the snapshot that the caller began with, so the function keeps two older ones.
 */
export const create = limitedHandler('list-markets', (context) =>
  listMarkets(snapshotDeps(context, { olderCacheSize: 2 })),
);
