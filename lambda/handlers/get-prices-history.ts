import { getPricesHistory } from '../endpoints/histories/prices-history.ts';
import { historyDeps } from './wiring/histories.ts';
import { limitedHandler } from './wiring/limited.ts';

export const create = limitedHandler('get-prices-history', (context) =>
  getPricesHistory(historyDeps(context)),
);
