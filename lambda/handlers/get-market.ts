import { getMarket } from '../endpoints/markets/single-market.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';
import { liveUnlistedMarkets } from './wiring/unlisted.ts';

/** Makes the handler that returns one market, listed or not: from the snapshot or from upstream. */
export const create = limitedHandler('get-market', (context) =>
  getMarket(snapshotDeps(context), liveUnlistedMarkets(context)),
);
