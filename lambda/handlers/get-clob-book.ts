import { bookDeps, type CreateHandler, countedContext } from '../app/create-handler.ts';
import { byResource, pipeline } from '../app/http/pipeline.ts';
import { CLOB_BOOK_ROUTES, getClobBook } from '../app/order-books/order-books.ts';

/** One function serves the upstream's own paths, because they share their books. */
export const create: CreateHandler = (environment) => {
  const context = countedContext('get-clob-book', environment);
  const { logger, rateLimit } = context;
  const deps = bookDeps(context);
  return byResource(CLOB_BOOK_ROUTES, (route) =>
    pipeline({ route, logger, rateLimit, endpoint: getClobBook(route, deps) }),
  );
};
