import { bookDeps, type CreateHandler, countedHandler } from '../app/create-handler.ts';
import { getOrderBook } from '../app/order-books/order-books.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-order-book', (context) => getOrderBook(bookDeps(context)));
