/**
 * The page's connection to the service: its client, and what the page knows of the service, which
 * is the rate limit and the parts of the page that could not be read.
 */
import { ApiError, createClient } from 'market-data-proxy-client';
import { useEffect } from 'preact/hooks';
import { listen, useEvents } from './browser.ts';
import type { Failures, RateLimitState, ReadPart } from './notice.ts';

/** What the page knows of the service. */
interface ServiceState {
  readonly limit: RateLimitState;
  readonly failures: Failures;
}

/** The state that all parts of the page share. Only `update` changes it. */
let state: ServiceState = {
  limit: { waitsUntil: 0, requestsLeft: undefined, requestsAllowed: undefined },
  failures: {},
};
const changes = new EventTarget();

/** Changes the state, and renders what shows it. */
function update(change: Partial<ServiceState>): void {
  state = { ...state, ...change };
  changes.dispatchEvent(new Event('change'));
}

/** The state of the service, updated with each change. */
export function useService(): ServiceState {
  return useEvents(changes, ['change'], () => state);
}

/** Whether a part of the page cannot be read. */
export function useFailing(): boolean {
  return useEvents(changes, ['change'], () => Object.keys(state.failures).length > 0);
}

/** Reports the error of a part of the page while it is shown. @param error undefined: none */
export function useReport(part: ReadPart, error: unknown): void {
  useEffect(() => report(part, error), [error]);
  useEffect(() => () => report(part, undefined), []);
}

/** Records whether a part of the page could be read. @param error undefined: it could */
function report(part: ReadPart, error: unknown): void {
  if (error === undefined && !(part in state.failures)) return;
  // The last failure is the last entry.
  const others = Object.entries(state.failures).filter(([name]) => name !== part);
  const failures = error === undefined ? others : [...others, [part, error]];
  update({ failures: Object.fromEntries(failures) });
}

// When the browser is online again, the network errors of the time before say nothing about the
// service.
listen(window, ['online'], () => {
  const failures = Object.entries(state.failures).filter(([, error]) => ApiError.is(error));
  update({ failures: Object.fromEntries(failures) });
});

/** Requests that the service's limit still allows; unlimited if unknown. */
export function requestsLeft(): number {
  return state.limit.requestsLeft ?? Number.POSITIVE_INFINITY;
}

/** A `fetch` that records the state of the rate limit. */
async function observed(request: Request): Promise<Response> {
  // Revalidates the browser's copy with its ETag.
  const response = await fetch(request, { cache: 'no-cache' });
  const { headers, status } = response;
  // For example: ratelimit-policy: "ip";q=60;w=60 and ratelimit: "ip";r=59;t=42
  const [, allowed] = /;\s*q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  const [, left, resetSeconds] =
    /;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  const isRejected = status === 429;
  if (left === undefined && !isRejected) return response;
  const retrySeconds = isRejected ? headers.get('retry-after') : undefined;
  const waitSeconds = Number(retrySeconds ?? resetSeconds ?? 1);
  const mustWait = isRejected || left === '0';
  update({
    limit: {
      requestsLeft: mustWait ? 0 : Number(left),
      requestsAllowed: allowed === undefined ? state.limit.requestsAllowed : Number(allowed),
      waitsUntil: mustWait ? Date.now() + waitSeconds * 1_000 : 0,
    },
  });
  return response;
}

/** The page's client. It does not retry: the page does, so that it can report problems at once. */
export const client = createClient({ baseUrl: location.origin, retries: 0, fetch: observed });

const cache = new Map<string, { readonly value: Promise<unknown>; readonly until: number }>();

/** What `read` returned less than `ttlMs` ago, or returns now. Errors are not cached. */
export function cached<T>(key: string, ttlMs: number, read: () => Promise<T>): Promise<T> {
  const entry = cache.get(key);
  if (entry && entry.until > Date.now()) return entry.value as Promise<T>;
  for (const [name, { until }] of cache) if (until <= Date.now()) cache.delete(name);
  const value = read();
  cache.set(key, { value, until: Date.now() + ttlMs });
  value.catch(() => cache.delete(key));
  return value;
}
