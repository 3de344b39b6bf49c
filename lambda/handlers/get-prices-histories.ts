import { type CreateHandler, countedHandler, historyDeps } from '../app/create-handler.ts';
import { getPricesHistories } from '../app/histories/prices-history.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-prices-histories', (context) => getPricesHistories(historyDeps(context)));
