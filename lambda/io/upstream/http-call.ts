/** One HTTP call to upstream, Polymarket's APIs, with strict checks of what comes back. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { VERSION } from '../../core/contract/constants.ts';
import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { type Clock, TimeoutError, withTimeout } from '../platform/clock.ts';
import { codeOf, UpstreamError } from './upstream-error.ts';
import type { UpstreamRouteName } from './upstreams.ts';

/** One HTTP call. */
export interface HttpCall {
  readonly route: UpstreamRouteName;
  readonly url: URL;
  readonly body?: unknown;
  /** Until the response is complete. */
  readonly timeoutMs: number;
  /** `kept` reuses an earlier one if there is one. That may be dead, so retries use `new`. */
  readonly connection?: 'kept' | 'new';
}

/** A successful response. */
export interface HttpReply {
  readonly body: unknown;
  /** The longest time that upstream may have cached the response. */
  readonly cachedMs: number;
}

/** The log contains this much of a failed response. */
const EXCERPT_CHARACTERS = 200;

/**
 * Makes one HTTP call: a POST if there is a body, otherwise a GET.
 *
 * @throws UpstreamError, never another error
 */
export async function callOnce(clock: Clock, call: HttpCall): Promise<HttpReply> {
  const { route } = call;
  const { status, headers, text } = await responseTo(clock, call);
  const details = { route, status, excerpt: text?.slice(0, EXCERPT_CHARACTERS) ?? '' };
  if (status < 200 || status >= 300) {
    const retryAfterMs = retryAfter(headers['retry-after'], clock.now());
    throw new UpstreamError({ ...details, failure: 'status', retryAfterMs });
  }
  if (text === undefined || hasTooManyValues(text))
    throw new UpstreamError({ ...details, failure: 'too_large' });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new UpstreamError({ ...details, failure: 'not_json', cause });
  }
  if (isErrorBody(parsed)) throw new UpstreamError({ ...details, failure: 'error_body' });
  return { body: parsed, cachedMs: maxCachedMs(headers) };
}

/** The response to a call. @throws UpstreamError without a complete response in time */
async function responseTo(clock: Clock, call: HttpCall): Promise<HttpResponse> {
  try {
    return await withTimeout(clock, call.timeoutMs, (signal) => send(call, signal));
  } catch (cause) {
    const failure = cause instanceof TimeoutError ? 'timeout' : 'network';
    throw new UpstreamError({ route: call.route, failure, cause });
  }
}

/**
 * Upstreams reject the default names of libraries. The service names itself and never imitates a
 * browser (docs/upstream.md).
 */
const USER_AGENT = `market-data-proxy/${VERSION}`;
const HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': USER_AGENT };

/** The AWS SDK already includes this HTTP client. The call queues limit the connections. */
function httpClient({ keepAlive }: { readonly keepAlive: boolean }): NodeHttpHandler {
  const agent = { keepAlive, maxSockets: Number.POSITIVE_INFINITY };
  return new NodeHttpHandler({ httpAgent: agent, httpsAgent: agent });
}
const CLIENTS = {
  kept: httpClient({ keepAlive: true }),
  new: httpClient({ keepAlive: false }),
};
const unzip = promisify(gunzip);

interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the body is too large. */
  readonly text: string | undefined;
}

/** Sends a request, and reads the whole response. */
async function send(
  { url, body, connection = 'kept' }: HttpCall,
  abortSignal: AbortSignal,
): Promise<HttpResponse> {
  const isPost = body !== undefined;
  const request = new HttpRequest({
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port !== '' && { port: Number(url.port) }),
    path: `${url.pathname}${url.search}`,
    method: isPost ? 'POST' : 'GET',
    headers: {
      host: url.host,
      ...HEADERS,
      ...(isPost && { 'content-type': 'application/json' }),
    },
    ...(isPost && { body: JSON.stringify(body) }),
  });
  const { response } = await CLIENTS[connection].handle(request, { abortSignal });
  const { statusCode: status, headers } = response;
  const text = await readText(response.body as Readable, headers['content-encoding']);
  return { status, headers, text };
}

/**
 * The largest response, decompressed. A catalogue page has 0.8 MB; the largest books and histories
 * have 1 MB.
 */
export const MAX_UPSTREAM_BYTES = 8_000_000;

/**
 * Reads a body as text.
 *
 * @returns undefined above MAX_UPSTREAM_BYTES, compressed or not
 * @throws Error if the connection ends early, and for an encoding that was not requested
 */
async function readText(
  stream: Readable,
  encoding: string | undefined,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_UPSTREAM_BYTES) return undefined; // leaving the loop closes the connection
    chunks.push(chunk);
  }
  const received = Buffer.concat(chunks);
  if (encoding === undefined || encoding === 'identity' || bytes === 0)
    return received.toString('utf8');
  if (encoding !== 'gzip') throw new Error(`The response is encoded as ${encoding}`);
  try {
    return (await unzip(received, { maxOutputLength: MAX_UPSTREAM_BYTES })).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

/**
 * The most values of a response. A catalogue page has 20,000; 20 histories of a month in steps of
 * ten minutes have 270,000.
 */
export const MAX_UPSTREAM_VALUES = 500_000;

/**
 * Whether JSON has more values than any response of upstream. 8 MB of JSON can become 260 MB of
 * objects. Commas and brackets in strings count too, but are few.
 */
function hasTooManyValues(json: string): boolean {
  // The densest JSON, `[],[],`, has two in three characters, so shorter texts need no count.
  if (json.length <= 1.5 * MAX_UPSTREAM_VALUES) return false;
  let values = 0;
  for (let position = 0; position < json.length; position++) {
    const character = json[position];
    if (character === ',' || character === '[' || character === '{') values += 1;
  }
  return values > MAX_UPSTREAM_VALUES;
}

/** Whether the body of a 2xx is an error: an object of one or two fields, one of them `error`. */
function isErrorBody(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && 'error' in body && Object.keys(body).length <= 2
  );
}

/** The longest time in upstream's shared cache (docs/upstream.md). */
const MAX_CACHED_MS = 5 * MINUTE_MS;
/** Cloudflare's values of `cf-cache-status` for a response from the origin. */
const FROM_ORIGIN: readonly unknown[] = ['MISS', 'EXPIRED', 'BYPASS', 'DYNAMIC'];

/** How long the response may have been in a cache, by `Age`, otherwise by Cloudflare's status. */
function maxCachedMs(headers: Readonly<Record<string, string>>): number {
  const age = headers.age?.trim() ?? '';
  if (/^\d+$/.test(age)) return Number(age) * SECOND_MS;
  return FROM_ORIGIN.includes(headers['cf-cache-status']?.toUpperCase()) ? 0 : MAX_CACHED_MS;
}

/** Reads `Retry-After`. @returns ms; undefined if it is absent or unreadable */
function retryAfter(value: string | undefined, now: UnixMs): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * SECOND_MS;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
