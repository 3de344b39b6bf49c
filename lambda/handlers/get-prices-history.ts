import { getPricesHistory } from '../endpoints/get-prices-history.ts';
import { historyHandler } from './create-handler.ts';

export const handler = historyHandler('get-prices-history', getPricesHistory);
