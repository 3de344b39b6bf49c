import { getOrderBook } from '../endpoints/order-books.ts';
import { bookDeps, type CreateHandler, countedHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-order-book', (context) => getOrderBook(bookDeps(context)));
