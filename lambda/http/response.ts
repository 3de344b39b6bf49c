/** Responses of endpoints: their type, size, cache rules and ETags. */
import { hash } from 'node:crypto';
import { MAX_RESPONSE_BYTES } from '../core/contract/constants.ts';
import { ServiceError } from '../core/domain/service-error.ts';
import type { UnixMs } from '../core/domain/time.ts';

/** A response of an endpoint, before the headers of all responses are added. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True for a picture; API Gateway decodes it. */
  readonly isBase64Encoded?: boolean;
}

/** A response with status 200. */
export function ok(body: string, headers: Readonly<Record<string, string>>): HttpResponse {
  return { status: 200, body, headers };
}

/** The size of a text in Lambda's result, which contains the body as a JSON string. */
export function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/**
 * Returns a body of upstream's data if Lambda can send it.
 *
 * @param what names the data in the error's message
 * @throws ServiceError `upstream_unavailable` (502) if the body is too large
 */
export function requireSendable(what: string, body: string): string {
  if (encodedBytes(body) <= MAX_RESPONSE_BYTES) return body;
  const message = `The upstream's ${what} is too large for a response.`;
  const cause = new Error(`${body.length} characters of ${what}`);
  throw new ServiceError('upstream_unavailable', message, { cause });
}

/**
 * Writes a JSON object in the entries' order. `JSON.stringify` would sort names that look like
 * small integers, such as 12.
 *
 * @param entries names, and values as JSON
 */
export function jsonObject(entries: readonly (readonly [name: string, value: string])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/**
 * The `Cache-Control` of data that a browser may keep for some seconds. Shared caches must
 * revalidate (`s-maxage=0`), so that the limit counts every request, and must not hide an error
 * with old data (`stale-if-error=0`).
 */
export function cacheControl(seconds: number): string {
  return `public, max-age=${seconds}, s-maxage=0, stale-if-error=0`;
}

/** Characters of base64url: 132 bits rule out collisions. */
const ETAG_CHARACTERS = 22;

/** What identifies the version of a content. */
interface Version {
  /** The ETag without quotes. @default from the body */
  readonly etag?: string;
  /**
   * When the content changed. Absent if it changes more than once a second, because the header has
   * whole seconds.
   */
  readonly lastModified?: UnixMs;
}

/** An ETag that depends on the body alone, without quotes. */
export function contentEtag(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, ETAG_CHARACTERS);
}

/** A 200 with `ETag` and `Last-Modified`, or a 304. @param requestHeaders with lower-case names */
export function conditional(
  requestHeaders: Readonly<Record<string, string>>,
  body: string,
  headers: Readonly<Record<string, string>>,
  { etag = contentEtag(body), lastModified }: Version = {},
): HttpResponse {
  // Weak: API Gateway may compress the response.
  const ETag = `W/"${etag}"`;
  const modified = lastModified === undefined ? {} : { 'Last-Modified': httpDate(lastModified) };
  const all = { ...headers, ETag, ...modified };
  return isCurrent(requestHeaders, ETag, lastModified)
    ? { status: 304, body: '', headers: all }
    : ok(body, all);
}

/**
 * Whether the caller has the current version. RFC 9110, 13.2.2: `If-Modified-Since` counts only
 * without `If-None-Match`.
 */
function isCurrent(
  headers: Readonly<Record<string, string>>,
  etag: string,
  lastModified?: UnixMs,
): boolean {
  const knownEtags = headers['if-none-match'];
  if (knownEtags !== undefined)
    return knownEtags.split(',').some((known) => matches(known.trim(), etag));
  // Equality, because a snapshot may be older than the one before it.
  return lastModified !== undefined && headers['if-modified-since'] === httpDate(lastModified);
}

/** Whether two ETags match by the weak comparison of RFC 9110, 8.8.3.2. */
function matches(known: string, etag: string): boolean {
  return known === '*' || known === etag || `W/${known}` === etag;
}

function httpDate(time: UnixMs): string {
  return new Date(time).toUTCString();
}
