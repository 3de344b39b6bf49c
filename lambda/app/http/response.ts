import { hash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { MAX_RESPONSE_BYTES } from '../../core/contract/constants.ts';
import { ERRORS, type ErrorBody } from '../../core/contract/errors.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from '../../core/contract/headers.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { UnixMs } from '../../core/domain/time.ts';

/** The response of an endpoint. The pipeline adds the headers that every response carries. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether API Gateway decodes `body`: a picture. */
  readonly isBase64Encoded?: boolean;
}

export function ok(body: string, headers: Readonly<Record<string, string>>): HttpResponse {
  return { status: 200, body, headers };
}

/**
 * The only place where errors become responses. An unexpected error reveals nothing about itself.
 *
 * @param allowed the methods that a 405 names in `Allow`
 */
export function errorResponse(
  error: unknown,
  requestId: string,
  allowed: readonly string[] = ALLOWED_METHODS,
): HttpResponse {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('internal_error', 'An unexpected error occurred. Try again in a moment.');
  const { status } = ERRORS[known.code];
  const body: ErrorBody = { error: known.message, code: known.code, requestId };
  return {
    status,
    body: JSON.stringify(body),
    headers: {
      ...ERROR_HEADERS,
      ...(status === 405 ? { Allow: allowed.join(', ') } : {}),
      ...(known.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(known.retryAfterSeconds) }),
      ...(status === 429 ? RETRY_HEADERS : {}),
    },
  };
}

/** @param headOnly whether it is a response to HEAD: the same headers without the body */
export function gatewayResult(response: HttpResponse, requestId: string, headOnly: boolean): APIGatewayProxyResult {
  return {
    statusCode: response.status,
    headers: { ...COMMON_HEADERS, Vary: 'Accept-Encoding', 'X-Request-Id': requestId, ...response.headers },
    body: headOnly ? '' : response.body,
    ...(response.isBase64Encoded ? { isBase64Encoded: true } : {}),
  };
}

/** A control character in the text of a CSV cell becomes `\u0007`, which is six bytes. */
const MAX_BYTES_PER_CHARACTER = 6;

/** Bytes of a text inside Lambda's result, where the whole body is one JSON string. */
export function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Whether Lambda accepts a response with this body. */
export function fitsResponse(body: string): boolean {
  return body.length * MAX_BYTES_PER_CHARACTER <= MAX_RESPONSE_BYTES || encodedBytes(body) <= MAX_RESPONSE_BYTES;
}

/** The browser revalidates its copy before it uses it. */
export const NO_CACHE = 'no-cache';
export const NO_STORE = 'no-store';

/**
 * The `Cache-Control` of a response that browsers keep. Shared caches must revalidate their copy (`s-maxage=0`), so that
 * the rate limit counts every request. They may not use it in place of an error (`stale-if-error=0`): that would hide that
 * the data is too old.
 */
export function cacheControl(seconds: number): string {
  return `public, max-age=${seconds}, s-maxage=0, stale-if-error=0`;
}

/** Characters of base64url, 132 bits: two different bodies never have the same ETag. */
const ETAG_CHARACTERS = 22;

/** Identifies one version of a response. */
export interface Version {
  /** Everything that the response depends on, without quotes. */
  readonly etag: string;
  /** Absent for content that changes more than once a second: the header counts whole seconds. */
  readonly lastModified?: UnixMs;
}

/** The ETag of a response from its content, without quotes. */
export function contentEtag(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, ETAG_CHARACTERS);
}

/**
 * A 200 with `ETag` and `Last-Modified`, or a 304 when the caller already has this version.
 *
 * @param requestHeaders with lower-case names
 */
export function conditional(
  requestHeaders: Readonly<Record<string, string>>,
  { etag, lastModified }: Version,
  headers: Readonly<Record<string, string>>,
  body: string,
): HttpResponse {
  // Weak: API Gateway sends the same response with or without gzip.
  const ETag = `W/"${etag}"`;
  const all = {
    ...headers,
    ETag,
    ...(lastModified === undefined ? {} : { 'Last-Modified': httpDate(lastModified) }),
  };
  return isCurrent(requestHeaders, ETag, lastModified) ? { status: 304, body: '', headers: all } : ok(body, all);
}

/** RFC 9110, 13.2.2: `If-Modified-Since` counts only without `If-None-Match`. */
function isCurrent(headers: Readonly<Record<string, string>>, etag: string, lastModified?: UnixMs): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known.split(',').some((one) => matches(one.trim(), etag));
  // Callers send back the value they got. Equality is right because a snapshot may be older than the one before it.
  return lastModified !== undefined && headers['if-modified-since'] === httpDate(lastModified);
}

/** The weak comparison of RFC 9110, 8.8.3.2. */
function matches(known: string, etag: string): boolean {
  return known === '*' || known === etag || `W/${known}` === etag;
}

function httpDate(time: UnixMs): string {
  return new Date(time).toUTCString();
}
