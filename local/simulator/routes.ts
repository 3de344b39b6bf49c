import { booksOf, lastTradesOf, midpointsOf, oneBook, pricesOf } from './books.ts';
import { dataHistory } from './data-history.ts';
import { batchHistories, oneHistory } from './histories.ts';
import type { Route } from './route.ts';

/** About 1.1 s for a page of 100 markets, and 0.3 s for the others (docs/upstream.md). */
const PAGE_MS = 1_100;
const OTHER_MS = 300;

const clob = { upstream: 'clob', latencyMs: OTHER_MS } as const;

/** The routes that the service and its tools read. */
export const ROUTES = [
  {
    name: 'markets-keyset',
    upstream: 'gamma',
    method: 'GET',
    path: '/markets/keyset',
    latencyMs: PAGE_MS,
    respond: (request, { list }) => list.page(request),
  },
  { ...clob, name: 'book', method: 'GET', path: '/book', respond: oneBook },
  { ...clob, name: 'books', method: 'POST', path: '/books', respond: booksOf },
  { ...clob, name: 'midpoints', method: 'POST', path: '/midpoints', respond: midpointsOf },
  { ...clob, name: 'prices', method: 'POST', path: '/prices', respond: pricesOf },
  { ...clob, name: 'last-trades-prices', method: 'POST', path: '/last-trades-prices', respond: lastTradesOf },
  { ...clob, name: 'prices-history', method: 'GET', path: '/prices-history', respond: oneHistory },
  {
    ...clob,
    name: 'batch-prices-history',
    method: 'POST',
    path: '/batch-prices-history',
    respond: batchHistories,
  },
  {
    name: 'v2-prices-history',
    upstream: 'data',
    method: 'GET',
    path: '/v2/prices-history',
    latencyMs: OTHER_MS,
    respond: dataHistory,
  },
] as const satisfies readonly Route[];

export type RouteName = (typeof ROUTES)[number]['name'];
