import { getMarket } from '../endpoints/get-market.ts';
import { type CreateHandler, snapshotHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) => snapshotHandler(environment, 'get-market', getMarket);
