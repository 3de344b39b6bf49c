import { createClient } from 'market-data-proxy-client';
import { useEffect, useState } from 'preact/hooks';

/** The limit of the service as the last responses describe it. */
export interface RateLimitState {
  /** Unix ms until which the client waits after a 429; 0 if it does not wait. */
  readonly waitsUntil: number;
  /** Undefined before the first response, and if the service has no limit. */
  readonly requestsLeft: number | undefined;
  /** Requests per minute. */
  readonly requestsAllowed: number | undefined;
}

let rateLimitState: RateLimitState = { waitsUntil: 0, requestsLeft: undefined, requestsAllowed: undefined };
const listeners = new Set<(state: RateLimitState) => void>();

function update(change: Partial<RateLimitState>): void {
  rateLimitState = { ...rateLimitState, ...change };
  for (const listener of listeners) listener(rateLimitState);
}

export function useRateLimitState(): RateLimitState {
  const [state, setState] = useState(rateLimitState);
  useEffect(() => {
    listeners.add(setState);
    return () => {
      listeners.delete(setState);
    };
  }, []);
  return state;
}

/** The page uses the public API only, through the client package. */
export const client = createClient({
  baseUrl: location.origin,
  retries: 1,
  // The browser revalidates its copy with the ETag instead of using it unchecked.
  fetch: (request) => fetch(request, { cache: 'no-cache' }),
  onWait: ({ ms, status }) => {
    if (status === 429) update({ waitsUntil: Date.now() + ms });
  },
  onResponse: ({ requestsLeft, response }) => {
    const [, allowed] = /;\s*q=(\d+)/.exec(response.headers.get('ratelimit-policy') ?? '') ?? [];
    if (requestsLeft !== undefined && allowed !== undefined)
      update({ requestsLeft, requestsAllowed: Number(allowed), waitsUntil: 0 });
  },
});
