import { getPricesHistory } from '../endpoints/histories/prices-history.ts';
import { historyDeps } from './wiring/histories.ts';
import { limitedHandler } from './wiring/limited.ts';

/** Makes the handler that returns one token's price history, from CLOB and the Data API. */
export const create = limitedHandler('get-prices-history', (context) =>
  getPricesHistory(historyDeps(context)),
);
