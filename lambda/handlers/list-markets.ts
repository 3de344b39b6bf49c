import { listMarkets } from '../endpoints/list-markets.ts';
import { type CreateHandler, snapshotHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  snapshotHandler(environment, 'list-markets', listMarkets, { olderCacheSize: 2 });
