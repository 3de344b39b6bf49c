import { text } from '../http/response.ts';
import type { Route } from '../route.ts';
import { listEvents } from './events.ts';
import { listByKeyset, listByOffset } from './markets.ts';

/** About 1.1 s a page of 100 (measured). */
const PAGE_MS = 1_100;
const OTHER_MS = 150;

const MARKETS = { name: 'gamma /markets', limit: 300 };
const EVENTS = { name: 'gamma /events', limit: 500 };
const LISTINGS = { name: 'gamma listings', limit: 900 };

export const GAMMA_ROUTES = [
  {
    name: 'markets',
    upstream: 'gamma',
    method: 'GET',
    path: '/markets',
    buckets: [MARKETS, LISTINGS],
    latencyMs: PAGE_MS,
    respond: listByOffset,
  },
  {
    name: 'markets-keyset',
    upstream: 'gamma',
    method: 'GET',
    path: '/markets/keyset',
    buckets: [MARKETS, LISTINGS],
    latencyMs: PAGE_MS,
    respond: listByKeyset,
  },
  {
    name: 'events-keyset',
    upstream: 'gamma',
    method: 'GET',
    path: '/events/keyset',
    buckets: [EVENTS, LISTINGS],
    latencyMs: PAGE_MS,
    respond: listEvents,
  },
  {
    name: 'gamma-status',
    upstream: 'gamma',
    method: 'GET',
    path: '/status',
    latencyMs: OTHER_MS,
    respond: () => text(200, 'OK'),
  },
] as const satisfies readonly Route[];
