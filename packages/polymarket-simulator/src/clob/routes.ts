import { json } from '../http/response.ts';
import type { Bucket, Route } from '../route.ts';
import { manyBooks, oneBook } from './books.ts';
import { manyHistories, oneHistory } from './history.ts';
import {
  clobMarket,
  feeRate,
  lastTradePrice,
  lastTradesPrices,
  marketByToken,
  midpoint,
  midpoints,
  negRisk,
  price,
  prices,
  spread,
  spreads,
  tickSize,
} from './prices.ts';

/** A batch of 20 histories, and a single one (measured). */
const HISTORY_MS = 500;
/** A call of the batch price routes (measured). */
const PRICES_MS = 300;
/** 500 books in 3.2 s (measured). */
const BOOKS_MS = 3_200;
/** Assumed for everything else: one round trip and a little. */
const OTHER_MS = 150;

const bucket = (path: string, limit: number): readonly Bucket[] => [{ name: `clob ${path}`, limit }];
const get = { upstream: 'clob', method: 'GET', latencyMs: OTHER_MS } as const;
const post = { upstream: 'clob', method: 'POST', latencyMs: PRICES_MS } as const;

export const CLOB_ROUTES = [
  { ...get, name: 'book', path: '/book', buckets: bucket('/book', 1_500), respond: oneBook },
  {
    ...post,
    name: 'books',
    path: '/books',
    buckets: bucket('/books', 500),
    latencyMs: BOOKS_MS,
    respond: manyBooks,
  },
  { ...get, name: 'midpoint', path: '/midpoint', buckets: bucket('/midpoint', 1_500), respond: midpoint },
  { ...post, name: 'midpoints', path: '/midpoints', buckets: bucket('/midpoints', 500), respond: midpoints },
  { ...get, name: 'price', path: '/price', buckets: bucket('/price', 1_500), respond: price },
  { ...post, name: 'prices', path: '/prices', buckets: bucket('/prices', 500), respond: prices },
  { ...get, name: 'spread', path: '/spread', respond: spread },
  { ...post, name: 'spreads', path: '/spreads', respond: spreads },
  { ...get, name: 'last-trade-price', path: '/last-trade-price', respond: lastTradePrice },
  { ...post, name: 'last-trades-prices', path: '/last-trades-prices', respond: lastTradesPrices },
  { ...get, name: 'tick-size', path: '/tick-size', buckets: bucket('/tick-size', 200), respond: tickSize },
  { ...get, name: 'neg-risk', path: '/neg-risk', respond: negRisk },
  { ...get, name: 'fee-rate', path: '/fee-rate', respond: feeRate },
  { ...get, name: 'market-by-token', path: '/markets-by-token/{token}', respond: marketByToken },
  { ...get, name: 'clob-market', path: '/clob-markets/{condition}', respond: clobMarket },
  {
    ...get,
    name: 'prices-history',
    path: '/prices-history',
    buckets: bucket('/prices-history', 1_000),
    latencyMs: HISTORY_MS,
    respond: oneHistory,
  },
  {
    ...post,
    name: 'batch-prices-history',
    path: '/batch-prices-history',
    latencyMs: HISTORY_MS,
    respond: manyHistories,
  },
  { ...get, name: 'ok', path: '/ok', respond: () => json(200, 'OK') },
  { ...get, name: 'version', path: '/version', respond: () => json(200, { version: 2 }) },
  { ...get, name: 'time', path: '/time', respond: ({ now }) => json(200, Math.floor(now / 1_000)) },
] as const satisfies readonly Route[];
