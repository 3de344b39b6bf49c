import { bookDeps, type CreateHandler, limitedHandler } from '../app/create-handler.ts';
import { listOrderBooks } from '../app/order-books/order-books.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-order-books', (context) => listOrderBooks(bookDeps(context)));
