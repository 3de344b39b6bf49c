import { getPricesHistory } from '../endpoints/get-prices-history.ts';
import { type CreateHandler, historyHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  historyHandler(environment, 'get-prices-history', getPricesHistory);
