/**
 * All routes of the simulated Polymarket: Gamma has the list, CLOB prices and books, the Data
 * API histories and resolutions.
 */
import { booksOf, lastTradesOf, oneBook, pricesOf } from './books.ts';
import { dataHistory } from './data-history.ts';
import { marketsPage } from './gamma.ts';
import { batchHistories, oneHistory } from './histories.ts';
import { resolutionsOf } from './resolutions.ts';
import type { SimulatedCall } from './route.ts';

/** The latency of a page of 100 markets, as measured (docs/upstream.md). */
const PAGE_MS = 1_100;
/** The latency of all other routes, as measured. */
const OTHER_MS = 300;

/**
 * What some routes have in common. Without a documented limit, a route of CLOB has the general one.
 */
const clob = { upstream: 'clob', latencyMs: OTHER_MS, callsPer10Seconds: 9_000 } as const;
const data = { upstream: 'data', method: 'GET', latencyMs: OTHER_MS } as const;
const post = { ...clob, method: 'POST' } as const;

/** The routes of the simulated upstream. Limits are those that upstream documents. */
export const SIMULATED_ROUTES = [
  {
    name: 'markets-keyset',
    upstream: 'gamma',
    method: 'GET',
    path: '/markets/keyset',
    latencyMs: PAGE_MS,
    callsPer10Seconds: 300,
    respond: marketsPage,
  },
  {
    ...clob,
    name: 'book',
    method: 'GET',
    path: '/book',
    callsPer10Seconds: 1_500,
    respond: oneBook,
  },
  { ...post, name: 'books', path: '/books', callsPer10Seconds: 500, respond: booksOf },
  { ...post, name: 'prices', path: '/prices', callsPer10Seconds: 500, respond: pricesOf },
  { ...post, name: 'last-trades-prices', path: '/last-trades-prices', respond: lastTradesOf },
  {
    ...clob,
    name: 'prices-history',
    method: 'GET',
    path: '/prices-history',
    callsPer10Seconds: 1_000,
    respond: oneHistory,
  },
  { ...post, name: 'batch-prices-history', path: '/batch-prices-history', respond: batchHistories },
  {
    ...data,
    name: 'v2-prices-history',
    path: '/v2/prices-history',
    callsPer10Seconds: 200,
    respond: dataHistory,
  },
  {
    ...data,
    name: 'v2-resolutions',
    path: '/v2/resolutions',
    callsPer10Seconds: 1_000,
    respond: resolutionsOf,
  },
] as const satisfies readonly SimulatedCall[];

export type SimulatedRouteName = (typeof SIMULATED_ROUTES)[number]['name'];
