import { listMarkets } from '../endpoints/list-markets.ts';
import { snapshotHandler } from './create-handler.ts';

export const handler = snapshotHandler('list-markets', listMarkets, { olderCacheSize: 2 });
