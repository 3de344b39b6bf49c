import { getMarket } from '../endpoints/markets/single-market.ts';
import { limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';
import { liveUnlistedMarkets } from './wiring/unlisted.ts';

export const create = limitedHandler('get-market', (context) =>
  getMarket(snapshotDeps(context), liveUnlistedMarkets(context)),
);
