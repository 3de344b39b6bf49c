import type { IncomingMessage } from 'node:http';
import { dataError } from '../data/errors.ts';
import { SharedCache } from '../gamma/shared-cache.ts';
import type { Route } from '../route.ts';
import { type FoundRoute, routesAt } from '../routes.ts';
import type { State } from '../state.ts';
import { RateLimits } from './rate-limits.ts';
import { html, json, type SimulatedResponse, text } from './response.ts';
import { isRefusedAgent } from './user-agents.ts';

/** What stands in front of the upstreams: bot rules, rate limits, the shared cache, CORS. */
export class Edge {
  readonly #state: State;
  readonly #limits = new RateLimits();
  readonly #cache = new SharedCache();

  constructor(state: State) {
    this.#state = state;
  }

  /** The route of a request, or the response to one that has none or may not pass. */
  check(request: IncomingMessage, url: URL): FoundRoute | SimulatedResponse {
    if (isRefusedAgent(request.headers['user-agent'])) return text(403, 'error code: 1010');
    const found = routesAt(url.pathname);
    const data = url.pathname.startsWith('/v2/');
    if (found.length === 0) {
      return data
        ? dataError('not_found', 'not found')
        : json(404, { type: 'not found error', error: 'not found' });
    }
    const matching = found.find(({ route }) => route.method === request.method);
    if (matching !== undefined) return matching;
    if (request.method === 'OPTIONS') return text(204, '');
    return data ? dataError('method_not_allowed', 'method not allowed') : text(405, 'Method Not Allowed');
  }

  /** Counts a request against the limits: the ms it is delayed, or the 429 it gets. */
  meter(request: IncomingMessage, route: Route): number | SimulatedResponse {
    if (!this.#state.rateLimits) return 0;
    const ip = request.socket.remoteAddress ?? '';
    return this.#limits.check(route, ip, this.#state.now()) ?? tooMany(route);
  }

  /** Age of the cached copy a list is served from. */
  ageSeconds(url: URL): number {
    return this.#cache.ageSeconds(url.href, this.#state.now());
  }

  /** `*`, but only for a request with an `Origin`; a cached list has what its first reader got. */
  corsHeaders(request: IncomingMessage, url: URL): Readonly<Record<string, string>> {
    const hasOrigin = request.headers.origin !== undefined;
    const cached = /^\/(markets|events)(\/keyset)?$/.test(url.pathname) && request.method === 'GET';
    const allowed = cached ? this.#cache.allowsOrigins(url.href, this.#state.now(), hasOrigin) : hasOrigin;
    return allowed ? { 'access-control-allow-origin': '*' } : {};
  }
}

/** Upstream's 429, without any rate-limit header; the Data API's is JSON. */
export function tooMany(route: Route): SimulatedResponse {
  return route.upstream === 'data'
    ? dataError('rate_limited', 'Too Many Requests')
    : html(429, '429 Too Many Requests');
}
