/**
 * A `fetch` that is polite to the service: it sends ETags, makes no request while the limit is used
 * up, and waits before it repeats a request.
 */
import { retryAfterSeconds } from './errors.ts';
import type { EtagCache } from './etag-cache.ts';
import { MAX_WAIT_MS, type Timing, withTimeout } from './timing.ts';

/** What `politeFetch` uses, and how long it waits and tries again. */
interface PoliteFetchOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Undefined if the platform has an HTTP cache, as in browsers. */
  readonly etags: EtagCache | undefined;
  readonly timing: Timing;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** A `fetch` that the client's methods use. */
export type Send = (request: Request, signal?: AbortSignal) => Promise<Response>;

/** A pause before the next attempt. */
export interface Wait {
  readonly ms: number;
  /** The status of the failed attempt; undefined without a response. */
  readonly status: number | undefined;
}

/** The pause before the first retry without `Retry-After`. It doubles with each attempt. */
const FIRST_PAUSE_MS = 1_000;
/**
 * A pause is longer by up to this share. It is random, so that clients that failed together do not
 * retry together.
 */
const MAX_JITTER = 0.25;
/** The statuses after which the client tries again, because the next attempt can succeed. */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

/** Makes a polite `fetch`. All requests of a client share it, and so its knowledge of the limit. */
export function politeFetch(options: PoliteFetchOptions): Send {
  const { fetch, etags, timing, retries, timeoutMs, onWait } = options;
  // No request begins before this time, in Unix ms: the service counts all of them together.
  let blockedUntil = 0;
  const block = (ms: number): void => {
    blockedUntil = Math.max(blockedUntil, timing.now() + Math.min(ms, MAX_WAIT_MS));
  };

  /** Makes one attempt, and remembers what its response says about the cache and the limit. */
  const fetchOnce = async (request: Request): Promise<Response> => {
    // Read before the request, because other requests can evict the entry before the response.
    const cached = etags?.get(request.url);
    // In a browser this header causes a preflight; its cache sends the tag itself.
    if (cached) request.headers.set('If-None-Match', cached.etag);
    const response = await readWhole(await fetch(request));
    block(waitOf(response.headers.get('ratelimit')));
    if (response.status === 304 && cached && etags)
      return etags.restore(request.url, cached, response);
    if (response.ok) await etags?.store(request.url, response);
    return response;
  };

  /** Makes one attempt. @returns undefined if it failed without a response and may be repeated */
  const attemptOnce = async (request: Request, isLast: boolean, signal?: AbortSignal) => {
    while (timing.now() < blockedUntil) await timing.sleep(blockedUntil - timing.now(), signal);
    try {
      return await withTimeout(timing, timeoutMs, signal, (aborted) =>
        fetchOnce(new Request(request, { signal: aborted })),
      );
    } catch (error) {
      // If the caller aborted the request, there is no retry.
      if (isLast || signal?.aborted) throw error;
      return undefined;
    }
  };

  return async (request, signal) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      const response = await attemptOnce(request, isLast, signal);
      if (response && (isLast || !RETRYABLE.includes(response.status))) return response;
      const askedSeconds = response && retryAfterSeconds(response, timing.now());
      // If the service asks for a longer pause, the caller decides what to do in the meantime.
      if (response && (askedSeconds ?? 0) * 1_000 > MAX_WAIT_MS) return response;
      const pauseMs =
        askedSeconds === undefined ? FIRST_PAUSE_MS * 2 ** attempt : askedSeconds * 1_000;
      const ms = Math.min(pauseMs * (1 + MAX_JITTER * timing.random()), MAX_WAIT_MS);
      if (response?.status === 429) block(ms);
      onWait?.({ ms, status: response?.status });
      await timing.sleep(ms, signal);
    }
  };
}

/**
 * The wait in ms that a response asks for; 0 while a request is left. The header is
 * `RateLimit: "per-ip";r=<requests left>;t=<seconds>`.
 */
function waitOf(header: string | null): number {
  const [, left, seconds] = /;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(header ?? '') ?? [];
  return left === '0' ? Number(seconds) * 1_000 : 0;
}

/** Reads the body now, because the connection can break until its end. */
async function readWhole(response: Response): Promise<Response> {
  const text = await response.text();
  // A 204 or 304 may not have a body. A new response has no URL.
  const whole = new Response(text === '' ? null : text, response);
  return Object.defineProperty(whole, 'url', { value: response.url });
}
