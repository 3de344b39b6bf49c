import { getMarket } from '../app/markets/single-market.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';
import { liveUnlistedMarkets } from './wiring/unlisted.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-market', (context) =>
    getMarket(snapshotDeps(context), liveUnlistedMarkets(context)),
  );
