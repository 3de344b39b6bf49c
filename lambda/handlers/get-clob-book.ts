import { CLOB_BOOK_ROUTES, getClobBook } from '../endpoints/order-books.ts';
import { byResource, pipeline } from '../http/pipeline.ts';
import { countedFunction, liveBooks, liveUpstream } from './create-handler.ts';

const { settings, logger, rateLimit } = countedFunction('get-clob-book');
const deps = liveBooks(liveUpstream('clob', settings.CLOB_URL, logger));

/** One function serves the upstream's own paths, because they share their books. */
export const handler = byResource(CLOB_BOOK_ROUTES, (route) =>
  pipeline({ route, logger, rateLimit, endpoint: getClobBook(route, deps) }),
);
