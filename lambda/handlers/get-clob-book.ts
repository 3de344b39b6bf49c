import { CLOB_BOOK_ROUTES, getClobBook } from '../endpoints/order-books.ts';
import { byResource, pipeline } from '../http/pipeline.ts';
import { bookDeps, type CreateHandler, countedContext } from './create-handler.ts';

/** One function serves the upstream's own paths, because they share their books. */
export const create: CreateHandler = (environment) => {
  const context = countedContext('get-clob-book', environment);
  const { logger, rateLimit } = context;
  const deps = bookDeps(context);
  return byResource(CLOB_BOOK_ROUTES, (route) =>
    pipeline({ route, logger, rateLimit, endpoint: getClobBook(route, deps) }),
  );
};
