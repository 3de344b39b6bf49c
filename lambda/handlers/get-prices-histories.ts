import { getPricesHistories } from '../endpoints/histories/prices-history.ts';
import { historyDeps } from './wiring/histories.ts';
import { limitedHandler } from './wiring/limited.ts';

/** Makes the handler that returns price histories of several tokens, from CLOB and the Data API. */
export const create = limitedHandler('get-prices-histories', (context) =>
  getPricesHistories(historyDeps(context)),
);
