import { getMarket } from '../endpoints/get-market.ts';
import { snapshotHandler } from './create-handler.ts';

export const handler = snapshotHandler('get-market', getMarket);
