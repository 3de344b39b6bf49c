import { type CreateHandler, historyDeps, limitedHandler } from '../app/create-handler.ts';
import { getPricesHistories } from '../app/histories/prices-history.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-prices-histories', (context) => getPricesHistories(historyDeps(context)));
