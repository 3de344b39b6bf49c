import type { IncomingMessage } from 'node:http';
import { SharedCache } from '../gamma/shared-cache.ts';
import { ROUTES, type Route } from '../routes.ts';
import type { State } from '../state.ts';
import { RateLimits } from './rate-limits.ts';
import { html, json, type SimulatedResponse, text } from './response.ts';
import { isRefusedAgent } from './user-agents.ts';

/** What stands in front of both upstreams: bot rules, rate limits, the shared cache, CORS. */
export class Edge {
  readonly #state: State;
  readonly #limits = new RateLimits();
  readonly #cache = new SharedCache();

  constructor(state: State) {
    this.#state = state;
  }

  /** The route of a request, or the response to one that has none or may not pass. */
  admit(request: IncomingMessage, url: URL): Route | SimulatedResponse {
    if (isRefusedAgent(request.headers['user-agent'])) return text(403, 'error code: 1010');
    const route = ROUTES.find((known) => known.path === url.pathname);
    if (route === undefined) return json(404, { type: 'not found error', error: 'not found' });
    if (request.method === route.method) return route;
    return request.method === 'OPTIONS' ? text(204, '') : text(405, 'Method Not Allowed');
  }

  /** Counts a request against the limits: the ms it is delayed, or the 429 it gets. */
  meter(request: IncomingMessage, route: Route): number | SimulatedResponse {
    if (!this.#state.rateLimits) return 0;
    const ip = request.socket.remoteAddress ?? '';
    return this.#limits.admit(route, ip, this.#state.now()) ?? html(429, '429 Too Many Requests');
  }

  /** Age of the cached copy a list is served from. */
  ageSeconds(url: URL): number {
    return this.#cache.ageSeconds(url.href, this.#state.now());
  }

  /** `*`, but only for a request with an `Origin`; a cached list has what its first reader got. */
  corsHeaders(request: IncomingMessage, url: URL): Readonly<Record<string, string>> {
    const hasOrigin = request.headers.origin !== undefined;
    const cached = url.pathname.startsWith('/markets') && request.method === 'GET';
    const allowed = cached ? this.#cache.allowsOrigins(url.href, this.#state.now(), hasOrigin) : hasOrigin;
    return allowed ? { 'access-control-allow-origin': '*' } : {};
  }
}
