import { bookDeps, type CreateHandler, countedHandler } from '../app/create-handler.ts';
import { getClobBook } from '../app/order-books/order-books.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'get-clob-book', (context) => getClobBook(bookDeps(context)));
