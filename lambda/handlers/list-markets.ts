import { type CreateHandler, limitedHandler, snapshotDeps } from '../app/create-handler.ts';
import { listMarkets } from '../app/markets/market-lists.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-markets', (context) => listMarkets(snapshotDeps(context, { olderCacheSize: 2 })));
