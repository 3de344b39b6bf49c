import { createClient } from 'market-data-proxy-client';

/** Told when the service asked to wait, and how many requests it still allows. */
export interface Weather {
  /** Milliseconds since 1970 until which nothing is sent; 0 when nothing waits. */
  readonly waitsUntil: number;
  /** Undefined before the first response, and where the service limits nobody. */
  readonly requestsLeft: number | undefined;
  /** Requests that the service allows an address in a minute. */
  readonly requestsAllowed: number | undefined;
}

let weather: Weather = { waitsUntil: 0, requestsLeft: undefined, requestsAllowed: undefined };
const listeners = new Set<(weather: Weather) => void>();

function tell(change: Partial<Weather>): void {
  weather = { ...weather, ...change };
  for (const listener of listeners) listener(weather);
}

export function currentWeather(): Weather {
  return weather;
}

export function onWeather(listener: (weather: Weather) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The page is a caller like any other: it knows nothing but the public API, through its client package. */
export const client = createClient({
  baseUrl: location.origin,
  retries: 1,
  // The browser sends the ETag of what it holds and is told 304, instead of showing what it holds unasked.
  fetch: (request) => fetch(request, { cache: 'no-cache' }),
  onWait: ({ ms, status }) => {
    if (status === 429) tell({ waitsUntil: Date.now() + ms });
  },
  onResponse: ({ requestsLeft, response }) => {
    const [, allowed] = /;\s*q=(\d+)/.exec(response.headers.get('ratelimit-policy') ?? '') ?? [];
    if (requestsLeft !== undefined && allowed !== undefined)
      tell({ requestsLeft, requestsAllowed: Number(allowed), waitsUntil: 0 });
  },
});
