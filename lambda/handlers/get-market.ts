import { getMarket } from '../endpoints/get-market.ts';
import { type CreateHandler, countedHandler, liveUnlistedMarkets, snapshotDeps } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-market', (context) =>
    getMarket(snapshotDeps(context), liveUnlistedMarkets(context)),
  );
