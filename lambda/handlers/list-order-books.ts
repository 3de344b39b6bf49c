import { listOrderBooks } from '../app/order-books/order-books.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { bookDeps } from './wiring/live.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-order-books', (context) => listOrderBooks(bookDeps(context)));
