import { type Answer, ok } from './answers.ts';

/** What tells one version of an answer from another. */
export interface Version {
  /** What the answer depends on, without quotes. */
  readonly tag: string;
  /** Milliseconds. */
  readonly lastModified: number;
}

/**
 * Answers 304 when the caller already has this version. The body is only made when it is needed.
 *
 * @param requestHeaders with lower-case names
 */
export function conditional(
  requestHeaders: Readonly<Record<string, string>>,
  version: Version,
  headers: Readonly<Record<string, string>>,
  body: () => string,
): Answer {
  // Weak: API Gateway may send the same answer gzipped or not.
  const etag = `W/"${version.tag}"`;
  const all = { ...headers, ETag: etag, 'Last-Modified': new Date(version.lastModified).toUTCString() };
  return isKnown(requestHeaders, etag, version.lastModified)
    ? { status: 304, body: '', headers: all }
    : ok(body(), all);
}

/** RFC 9110, 13.2.2: `If-Modified-Since` counts only without `If-None-Match`. */
function isKnown(headers: Readonly<Record<string, string>>, etag: string, lastModified: number): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags
      .split(',')
      .some((tag) => tag.trim() === '*' || `W/${tag.trim().replace(/^W\//, '')}` === etag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && Math.floor(lastModified / 1_000) * 1_000 <= since;
}
