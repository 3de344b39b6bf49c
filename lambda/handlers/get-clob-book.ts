import { CLOB_BOOK_ROUTES, getClobBook } from '../endpoints/order-books.ts';
import { byResource, pipeline } from '../http/pipeline.ts';
import { type CreateHandler, countedContext, liveBooks, liveUpstream } from './create-handler.ts';

/** One function serves the upstream's own paths, because they share their books. */
export const create: CreateHandler = (environment) => {
  const { settings, logger, rateLimit } = countedContext('get-clob-book', environment);
  const deps = liveBooks(liveUpstream('clob', settings.CLOB_URL, logger));
  return byResource(CLOB_BOOK_ROUTES, (route) =>
    pipeline({ route, logger, rateLimit, endpoint: getClobBook(route, deps) }),
  );
};
