import { listMarkets } from '../endpoints/list-markets.ts';
import { type CreateHandler, countedHandler, snapshotDeps } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-markets', (context) => listMarkets(snapshotDeps(context, { olderCacheSize: 2 })));
