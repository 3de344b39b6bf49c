import { getPricesHistories } from '../endpoints/get-prices-history.ts';
import { type CreateHandler, countedHandler, historyDeps } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-prices-histories', (context) => getPricesHistories(historyDeps(context)));
