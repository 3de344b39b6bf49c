import { getOrderBook } from '../app/order-books/order-books.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { bookDeps } from './wiring/live.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-order-book', (context) => getOrderBook(bookDeps(context)));
