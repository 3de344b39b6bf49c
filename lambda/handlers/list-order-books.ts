import { bookDeps, type CreateHandler, countedHandler } from '../app/create-handler.ts';
import { listOrderBooks } from '../app/order-books/order-books.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-order-books', (context) => listOrderBooks(bookDeps(context)));
