import { type CreateHandler, countedHandler, historyDeps } from '../app/create-handler.ts';
import { getPricesHistory } from '../app/histories/prices-history.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-prices-history', (context) => getPricesHistory(historyDeps(context)));
