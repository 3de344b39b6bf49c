import { manyBooks, midpoints, oneBook } from './clob/books.ts';
import { manyHistories, oneHistory } from './clob/history.ts';
import { listByKeyset, listByOffset } from './gamma/markets.ts';
import type { SimulatedResponse } from './http/response.ts';
import type { State } from './state.ts';

export const ROUTE_NAMES = [
  'markets',
  'markets-keyset',
  'book',
  'books',
  'midpoints',
  'prices-history',
  'batch-prices-history',
] as const;
export type RouteName = (typeof ROUTE_NAMES)[number];

export interface UpstreamRequest {
  readonly query: URLSearchParams;
  /** The parsed JSON body of a POST; undefined where it is not JSON. */
  readonly body: unknown;
  /** Ms. */
  readonly now: number;
  /** Age of the shared cache's copy; only lists have one. */
  readonly ageSeconds: number;
}

export interface Route {
  readonly name: RouteName;
  readonly upstream: 'gamma' | 'clob';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Routes of one bucket are counted together, per IP in 10 s (upstream.md); without one there is no limit. */
  readonly bucket?: { readonly name: string; readonly limit: number };
  /** What `latency: 'realistic'` adds, ms on average. */
  readonly latencyMs: number;
  readonly respond: (request: UpstreamRequest, state: State) => SimulatedResponse;
}

/** About 1.1 s a page of 100 (upstream.md). */
const PAGE_MS = 1_100;
/** 0.5 s a batch of 20 (measured). */
const HISTORY_BATCH_MS = 500;
/** Assumed: between a book and a history batch. */
const MIDPOINTS_MS = 250;
/** Assumed for everything else: one round trip and a little. */
const OTHER_MS = 150;

const GAMMA_MARKETS = { name: 'gamma /markets', limit: 300 };

export const ROUTES: readonly Route[] = [
  {
    name: 'markets',
    upstream: 'gamma',
    method: 'GET',
    path: '/markets',
    bucket: GAMMA_MARKETS,
    latencyMs: PAGE_MS,
    respond: listByOffset,
  },
  {
    name: 'markets-keyset',
    upstream: 'gamma',
    method: 'GET',
    path: '/markets/keyset',
    bucket: GAMMA_MARKETS,
    latencyMs: PAGE_MS,
    respond: listByKeyset,
  },
  {
    name: 'book',
    upstream: 'clob',
    method: 'GET',
    path: '/book',
    bucket: { name: 'clob /book', limit: 1_500 },
    latencyMs: OTHER_MS,
    respond: oneBook,
  },
  {
    name: 'books',
    upstream: 'clob',
    method: 'POST',
    path: '/books',
    bucket: { name: 'clob /books', limit: 500 },
    latencyMs: OTHER_MS,
    respond: manyBooks,
  },
  {
    name: 'midpoints',
    upstream: 'clob',
    method: 'POST',
    path: '/midpoints',
    latencyMs: MIDPOINTS_MS,
    respond: midpoints,
  },
  {
    name: 'prices-history',
    upstream: 'clob',
    method: 'GET',
    path: '/prices-history',
    bucket: { name: 'clob /prices-history', limit: 1_000 },
    latencyMs: OTHER_MS,
    respond: oneHistory,
  },
  {
    name: 'batch-prices-history',
    upstream: 'clob',
    method: 'POST',
    path: '/batch-prices-history',
    latencyMs: HISTORY_BATCH_MS,
    respond: manyHistories,
  },
];
