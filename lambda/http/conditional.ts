import { hash } from 'node:crypto';
import { type HttpResponse, ok } from './response.ts';

/** 132 bits: two bodies of one tag do not occur. */
const TAG_CHARACTERS = 22;

/** What tells one version of a response from another. */
export interface Version {
  /** What the response depends on, without quotes. */
  readonly tag: string;
  /** Milliseconds. Left out where things change more than once a second, for which the header is too coarse. */
  readonly lastModified?: number;
}

/** The tag of a response that is told by nothing but its content. */
export function contentTag(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, TAG_CHARACTERS);
}

/**
 * Responds 304 when the caller already has this version. The body is only made when it is needed.
 *
 * @param requestHeaders with lower-case names
 */
export function conditional(
  requestHeaders: Readonly<Record<string, string>>,
  version: Version,
  headers: Readonly<Record<string, string>>,
  body: () => string,
): HttpResponse {
  // Weak: API Gateway may send the same response gzipped or not.
  const etag = `W/"${version.tag}"`;
  const { lastModified } = version;
  const all = {
    ...headers,
    ETag: etag,
    ...(lastModified === undefined ? {} : { 'Last-Modified': new Date(lastModified).toUTCString() }),
  };
  return isKnown(requestHeaders, etag, lastModified)
    ? { status: 304, body: '', headers: all }
    : ok(body(), all);
}

/** RFC 9110, 13.2.2: `If-Modified-Since` counts only without `If-None-Match`. */
function isKnown(headers: Readonly<Record<string, string>>, etag: string, lastModified?: number): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags
      .split(',')
      .some((tag) => tag.trim() === '*' || `W/${tag.trim().replace(/^W\//, '')}` === etag);
  }
  // Equality, as with a tag: a caller sends back what they were given, and a snapshot may be older than the one before.
  return lastModified !== undefined && headers['if-modified-since'] === new Date(lastModified).toUTCString();
}
