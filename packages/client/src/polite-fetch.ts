import type { Budget } from './budget.ts';
import { retryAfterSeconds } from './errors.ts';
import type { EtagCache } from './etag-cache.ts';
import type { Timing } from './timing.ts';

export interface PoliteFetchOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly budget: Budget;
  /** Left out where the platform keeps responses itself, as browsers do. */
  readonly etags: EtagCache | undefined;
  readonly timing: Timing;
  /** How often a refused or failed request is sent again. */
  readonly retries: number;
  /** Told of each wait that the service caused. @default nobody */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** Why a request is sent again later. */
export interface Wait {
  readonly ms: number;
  /** Of the response; undefined when there was none. */
  readonly status: number | undefined;
}

/** The wait before a request that the service asked to come later, when it does not say how much. */
const FIRST_PAUSE_MS = 1_000;
/** Many clients that were refused together must not come back together. */
const JITTER = 0.25;
/** What may go well when tried again: too many requests, and an upstream or data that is not there at the moment. */
const WORTH_REPEATING: readonly number[] = [429, 502, 503, 504];

/** `fetch` as a good caller does it: within a budget, with tags, and patient when it is asked to wait. */
export function politeFetch(options: PoliteFetchOptions): (request: Request) => Promise<Response> {
  const { fetch, budget, etags, timing, retries, onWait } = options;

  const once = async (request: Request): Promise<Response> => {
    const etag = etags?.etagOf(request.url);
    // A header of our own would cost a browser a preflight; where the platform has a cache it sends the tag itself.
    if (etag !== undefined) request.headers.set('If-None-Match', etag);
    await budget.take(request.signal);
    const response = await fetch(request);
    budget.heed(response.headers.get('ratelimit'));
    if (response.status === 304) return etags?.whole(request.url, response) ?? response;
    if (response.ok) await etags?.keep(request.url, response);
    return response;
  };

  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= retries;
      const response = await once(request.clone()).catch((error: unknown) => {
        // Offline, refused, reset: whatever fetch rejects with, unless the caller gave up.
        if (last || request.signal.aborted) throw error;
        return undefined;
      });
      if (response && (last || !WORTH_REPEATING.includes(response.status))) return response;
      const asked = response && retryAfterSeconds(response, timing.now());
      const pause = asked === undefined ? FIRST_PAUSE_MS * 2 ** attempt : asked * 1_000;
      const wait = pause * (1 + JITTER * timing.random());
      if (response?.status === 429) budget.block(wait);
      onWait?.({ ms: wait, status: response?.status });
      await timing.sleep(wait, request.signal);
    }
  };
}
