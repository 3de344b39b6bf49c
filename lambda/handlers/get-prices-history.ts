import { type CreateHandler, historyDeps, limitedHandler } from '../app/create-handler.ts';
import { getPricesHistory } from '../app/histories/prices-history.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-prices-history', (context) => getPricesHistory(historyDeps(context)));
