import { VERSION } from '../contract/version.ts';
import type { Clock } from '../platform/clock.ts';
import { TimeoutError, withTimeout } from '../platform/timeout.ts';
import type { Fetch, ResponseHeaders } from './fetch.ts';
import { excessOf } from './json-bounds.ts';
import { readText } from './read-text.ts';
import { UpstreamError } from './upstream-error.ts';

/** One request to an upstream. `route` names it in metrics and logs. */
export interface UpstreamRequest {
  readonly route: string;
  readonly url: string;
  /** Sent as JSON with POST; without it the request is a GET. */
  readonly body?: unknown;
  /** Most bytes of the response, decoded. */
  readonly maxBytes: number;
}

export interface UpstreamResponse {
  readonly body: unknown;
  readonly headers: ResponseHeaders;
}

/**
 * Names the service honestly; library defaults are refused and browsers are never imitated (upstream.md, "Both").
 */
export const USER_AGENT = `market-data-proxy/${VERSION}`;

const EXCERPT_CHARACTERS = 200;
/** Nothing that is looked at in an error lies beyond. */
const ERROR_BYTES = 65_536;

/**
 * One attempt. The body is read as text first, since errors may be HTML, and within the same deadline, since
 * bodies may hang as well as headers.
 *
 * @param timeoutMs for the whole response
 * @throws UpstreamError, never anything else
 */
export async function callOnce(
  fetch: Fetch,
  clock: Clock,
  request: UpstreamRequest,
  timeoutMs: number,
): Promise<UpstreamResponse> {
  const { route } = request;
  const { response, text, complete } = await withTimeout(clock, timeoutMs, (signal) =>
    send(fetch, request, signal),
  ).catch((cause: unknown) => {
    const failure = cause instanceof TimeoutError ? 'timeout' : 'network';
    throw new UpstreamError({ route, failure, cause });
  });
  const details = { route, status: response.status, excerpt: text.slice(0, EXCERPT_CHARACTERS) };
  if (!response.ok) {
    throw new UpstreamError({
      ...details,
      failure: 'status',
      retryAfterMs: retryAfterMs(response.headers, clock.now()),
      final: saysFinal(text),
    });
  }
  if (!complete) throw new UpstreamError({ ...details, failure: 'too_large' });
  const excess = excessOf(text);
  if (excess) throw new UpstreamError({ ...details, failure: excess });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new UpstreamError({ ...details, failure: 'not_json', cause });
  }
  if (typeof body === 'object' && body !== null && 'error' in body && Object.keys(body).length <= 2) {
    throw new UpstreamError({ ...details, failure: 'error_body' });
  }
  return { body, headers: response.headers };
}

async function send(fetch: Fetch, request: UpstreamRequest, signal: AbortSignal) {
  const response = await fetch(request.url, {
    ...(request.body === undefined
      ? { method: 'GET' }
      : { method: 'POST', body: JSON.stringify(request.body) }),
    headers: {
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    redirect: 'error',
    signal,
  });
  return { response, ...(await readText(response, response.ok ? request.maxBytes : ERROR_BYTES)) };
}

/** The Data API tells of its errors whether a second try makes sense. */
function saysFinal(text: string): boolean {
  return /"retryable"\s*:\s*false/.test(text);
}

function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
