import { type CreateHandler, countedHandler, liveUnlistedMarkets, snapshotDeps } from '../app/create-handler.ts';
import { getMarket } from '../app/markets/single-market.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-market', (context) =>
    getMarket(snapshotDeps(context), liveUnlistedMarkets(context)),
  );
