import { type CreateHandler, limitedHandler, liveUnlistedMarkets, snapshotDeps } from '../app/create-handler.ts';
import { getMarket } from '../app/markets/single-market.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-market', (context) =>
    getMarket(snapshotDeps(context), liveUnlistedMarkets(context)),
  );
