import { getPricesHistory } from '../app/histories/prices-history.ts';
import { historyDeps } from './wiring/histories.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-prices-history', (context) => getPricesHistory(historyDeps(context)));
