import { getOrderBook } from '../endpoints/order-books.ts';
import { bookHandler } from './create-handler.ts';

export const handler = bookHandler('get-order-book', getOrderBook);
