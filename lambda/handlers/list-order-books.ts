import { listOrderBooks } from '../endpoints/order-books/order-books.ts';
import { limitedHandler } from './wiring/limited.ts';
import { bookDeps } from './wiring/live.ts';

/** Makes the handler that returns order books of several tokens, from CLOB. */
export const create = limitedHandler('list-order-books', (context) =>
  listOrderBooks(bookDeps(context)),
);
