import { hash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { MAX_RESPONSE_BYTES } from '../../core/contract/constants.ts';
import { ERRORS, type ErrorBody } from '../../core/contract/errors.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from '../../core/contract/headers.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { UnixMs } from '../../core/domain/time.ts';

/** Without the headers that the pipeline adds. */
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
 * The only place where errors become responses. Reveals nothing about unexpected errors.
 *
 * @param allowed for `Allow` of a 405
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

/** @param headOnly omits the body, for HEAD */
export function gatewayResult(response: HttpResponse, requestId: string, headOnly: boolean): APIGatewayProxyResult {
  return {
    statusCode: response.status,
    headers: { ...COMMON_HEADERS, Vary: 'Accept-Encoding', 'X-Request-Id': requestId, ...response.headers },
    body: headOnly ? '' : response.body,
    ...(response.isBase64Encoded ? { isBase64Encoded: true } : {}),
  };
}

/** A control character in CSV becomes `\u0007`, six bytes. */
const MAX_BYTES_PER_CHARACTER = 6;

/** In Lambda's result, the body is one JSON string. */
export function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Whether Lambda accepts the body. */
export function fitsResponse(body: string): boolean {
  return body.length * MAX_BYTES_PER_CHARACTER <= MAX_RESPONSE_BYTES || encodedBytes(body) <= MAX_RESPONSE_BYTES;
}

/** The browser revalidates its copy. */
export const NO_CACHE = 'no-cache';
export const NO_STORE = 'no-store';

/**
 * For browsers. Shared caches must revalidate (`s-maxage=0`), so that the limit counts every request, and may not hide
 * an error with old data (`stale-if-error=0`).
 */
export function cacheControl(seconds: number): string {
  return `public, max-age=${seconds}, s-maxage=0, stale-if-error=0`;
}

/** Characters of base64url: 132 bits exclude collisions. */
const ETAG_CHARACTERS = 22;

/** One version of a response. */
export interface Version {
  /** Everything that the response depends on, without quotes. */
  readonly etag: string;
  /** Absent for content that changes more than once a second: the header has whole seconds. */
  readonly lastModified?: UnixMs;
}

/** Without quotes. */
export function contentEtag(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, ETAG_CHARACTERS);
}

/**
 * A 200 with `ETag` and `Last-Modified`, or a 304.
 *
 * @param requestHeaders with lower-case names
 */
export function conditional(
  requestHeaders: Readonly<Record<string, string>>,
  { etag, lastModified }: Version,
  headers: Readonly<Record<string, string>>,
  body: string,
): HttpResponse {
  // Weak: API Gateway may compress the response.
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
  // Equality, because a snapshot may be older than the one before it.
  return lastModified !== undefined && headers['if-modified-since'] === httpDate(lastModified);
}

/** The weak comparison of RFC 9110, 8.8.3.2. */
function matches(known: string, etag: string): boolean {
  return known === '*' || known === etag || `W/${known}` === etag;
}

function httpDate(time: UnixMs): string {
  return new Date(time).toUTCString();
}
