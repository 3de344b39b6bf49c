import { bookDeps, type CreateHandler, limitedHandler } from '../app/create-handler.ts';
import { getOrderBook } from '../app/order-books/order-books.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-order-book', (context) => getOrderBook(bookDeps(context)));
