import { getOrderBook } from '../endpoints/order-books/order-books.ts';
import { limitedHandler } from './wiring/limited.ts';
import { bookDeps } from './wiring/live.ts';

/** Makes the handler that returns one token's order book, from CLOB. */
export const create = limitedHandler('get-order-book', (context) =>
  getOrderBook(bookDeps(context)),
);
