import { listOrderBooks } from '../endpoints/order-books.ts';
import { bookDeps, type CreateHandler, countedHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-order-books', (context) => listOrderBooks(bookDeps(context)));
