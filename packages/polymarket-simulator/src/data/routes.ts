import { json } from '../http/response.ts';
import type { Route } from '../route.ts';
import { dataHistory } from './history.ts';
import { dataTokens } from './tokens.ts';

/** Other `/v2` routes were measured at 190 to 310 ms; this one was not. */
const ROUTE_MS = 250;

const get = { upstream: 'data', method: 'GET', latencyMs: ROUTE_MS } as const;

export const DATA_ROUTES = [
  {
    ...get,
    name: 'data-prices-history',
    path: '/v2/prices-history',
    buckets: [{ name: 'data /v2/prices-history', limit: 200 }],
    respond: dataHistory,
  },
  { ...get, name: 'data-tokens', path: '/v2/tokens', respond: dataTokens },
  { ...get, name: 'data-status', path: '/v2/status', respond: () => json(200, { status: 'ok' }) },
] as const satisfies readonly Route[];
