import { listMarkets } from '../app/markets/market-lists.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-markets', (context) => listMarkets(snapshotDeps(context, { olderCacheSize: 2 })));
