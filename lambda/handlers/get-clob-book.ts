import { bookDeps, type CreateHandler, limitedHandler } from '../app/create-handler.ts';
import { getClobBook } from '../app/order-books/order-books.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-clob-book', (context) => getClobBook(bookDeps(context)));
