import { getPricesHistories } from '../endpoints/get-prices-history.ts';
import { historyHandler } from './create-handler.ts';

export const handler = historyHandler('get-prices-histories', getPricesHistories);
