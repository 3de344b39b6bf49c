import { hash } from 'node:crypto';
import { MAX_LINK_BYTES, MAX_RESPONSE_BYTES } from '../../core/contract/constants.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import { ageSeconds, cacheableSeconds, type UnixMs } from '../../core/domain/time.ts';
import type { MarketSnapshot, ResponseContent } from '../../core/query/market-snapshot.ts';
import type { Snapshots } from '../../io/snapshots/snapshot-cache.ts';

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

/** A control character in CSV becomes `\u0007`, six bytes. */
const MAX_BYTES_PER_CHARACTER = 6;

/** In Lambda's result, the body is one JSON string. */
export function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

export function fitsResponse(body: string): boolean {
  return body.length * MAX_BYTES_PER_CHARACTER <= MAX_RESPONSE_BYTES || encodedBytes(body) <= MAX_RESPONSE_BYTES;
}

/**
 * @param what the data, for the error message
 * @throws ServiceError `upstream_unavailable` (502) if Lambda cannot send the body
 */
export function requireSendable(what: string, body: string): string {
  if (fitsResponse(body)) return body;
  throw new ServiceError('upstream_unavailable', `The upstream's ${what} is too large for a response.`, {
    cause: new Error(`${body.length} characters of ${what}`),
  });
}

/**
 * Keeps the entries' order: `JSON.stringify` sorts names that look like small integers.
 *
 * @param entries names, and values as JSON
 */
export function jsonObject(entries: readonly (readonly [name: string, value: string])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/**
 * For browsers. Shared caches must revalidate (`s-maxage=0`), so that the limit counts every request, and may not hide
 * an error with old data (`stale-if-error=0`).
 */
export function cacheControl(seconds: number): string {
  return `public, max-age=${seconds}, s-maxage=0, stale-if-error=0`;
}

/** Characters of base64url: 132 bits exclude collisions. */
const ETAG_CHARACTERS = 22;

interface Version {
  /** Without quotes. @default from the body */
  readonly etag?: string;
  /** Absent for content that changes more than once a second: the header has whole seconds. */
  readonly lastModified?: UnixMs;
}

function contentEtag(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, ETAG_CHARACTERS);
}

/**
 * A 200 with `ETag` and `Last-Modified`, or a 304.
 *
 * @param requestHeaders with lower-case names
 */
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
  return isCurrent(requestHeaders, ETag, lastModified) ? { status: 304, body: '', headers: all } : ok(body, all);
}

/** RFC 9110, 13.2.2: `If-Modified-Since` counts only without `If-None-Match`. */
function isCurrent(headers: Readonly<Record<string, string>>, etag: string, lastModified?: UnixMs): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known.split(',').some((one) => matches(one.trim(), etag));
  // Equality, because a snapshot may be older than the one before it.
  return lastModified !== undefined && headers['if-modified-since'] === httpDate(lastModified);
}

/** RFC 9110, 8.8.3.2. */
function matches(known: string, etag: string): boolean {
  return known === '*' || known === etag || `W/${known}` === etag;
}

function httpDate(time: UnixMs): string {
  return new Date(time).toUTCString();
}

export interface SnapshotEndpointDeps {
  readonly snapshots: Snapshots;
  readonly now: () => UnixMs;
}

interface SnapshotRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** What the content depends on besides the snapshot, as JSON. */
  readonly query: readonly unknown[];
}

export function snapshotOf({ snapshots }: SnapshotEndpointDeps, id: string | undefined): Promise<MarketSnapshot> {
  return id === undefined ? snapshots.latest() : snapshots.byId(id);
}

/**
 * Browsers may keep it until the data is two minutes old. The ETag depends on the content alone: polling callers get
 * 304 while it is the same, even from newer snapshots.
 *
 * @param make called only without a cached response
 */
export function snapshotResponse(
  { now }: SnapshotEndpointDeps,
  { info, responses }: MarketSnapshot,
  { headers: requestHeaders, query }: SnapshotRequest,
  make: () => ResponseContent,
): HttpResponse {
  const key = JSON.stringify(query);
  let response = responses.get(key);
  if (!response) {
    const content = make();
    response = { ...content, etag: contentEtag(content.body) };
    responses.set(key, response);
  }
  const { body, etag, headers } = response;
  const seconds = cacheableSeconds(ageSeconds(info.asOf, now()));
  const common = {
    'Cache-Control': cacheControl(seconds),
    'X-Snapshot-Id': info.id,
    'X-Catalogue-As-Of': new Date(info.catalogueAsOf).toISOString(),
  };
  return conditional(requestHeaders, body, { ...common, ...headers }, { etag, lastModified: info.asOf });
}

interface ListRequest {
  readonly path: string;
  /** As sent. */
  readonly sent: Readonly<Record<string, string>>;
}

interface ListLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
  readonly limit: number;
}

const LINK_CHOICES: readonly (readonly ListLink['rel'][])[] = [
  ['next', 'prev', 'first', 'last'],
  ['next', 'prev'],
  ['next'],
];

/** Cut to what Lambda accepts. @param items the whole list @param encode an item as a row */
export function listSlice<T>(
  request: ListRequest & { readonly parameters: { readonly limit: number; readonly offset: number } },
  snapshot: MarketSnapshot,
  items: readonly T[],
  encode: (item: T) => string,
): { readonly rows: readonly string[]; readonly headers: Readonly<Record<string, string>> } {
  const { limit, offset } = request.parameters;
  const start = Math.min(offset, items.length);
  const rows = fittingRows(items.slice(start, start + limit).map(encode));
  const links = listLinks(items.length, { start, end: start + rows.length }, limit);
  return { rows, headers: { 'X-Total-Count': String(items.length), ...linkHeaders(request, snapshot, links) } };
}

/** RFC 8288. All links name the snapshot and repeat the query, as many as fit in 4 KB. */
export function linkHeaders(
  { path, sent }: ListRequest,
  { info }: MarketSnapshot,
  links: readonly ListLink[],
): Readonly<Record<string, string>> {
  const { limit: _limit, offset: _offset, snapshot: _snapshot, ...others } = sent;
  const target = ({ offset, limit }: ListLink) =>
    `${path}?${new URLSearchParams({ ...others, limit: `${limit}`, offset: `${offset}`, snapshot: info.id })}`;
  const headers = LINK_CHOICES.map((rels) =>
    links
      .filter(({ rel }) => rels.includes(rel))
      .map((link) => `<${target(link)}>; rel="${link.rel}"`)
      .join(', '),
  );
  const Link = headers.find((header) => Buffer.byteLength(header) <= MAX_LINK_BYTES);
  return Link ? { Link } : {};
}

/**
 * None if the slice holds everything. `next` begins where the slice ends, even if it was cut short.
 *
 * @param slice positions: `start` up to, not including, `end`
 */
export function listLinks(
  total: number,
  slice: { readonly start: number; readonly end: number },
  limit: number,
): ListLink[] {
  const links: ListLink[] = [];
  if (slice.start === 0 && slice.end === total) return links;
  if (slice.end < total) links.push({ rel: 'next', offset: slice.end, limit });
  const before = Math.min(limit, slice.start);
  if (before > 0) links.push({ rel: 'prev', offset: slice.start - before, limit: before });
  links.push({ rel: 'first', offset: 0, limit });
  links.push({ rel: 'last', offset: Math.floor(Math.max(0, total - 1) / limit) * limit, limit });
  return links;
}

/** The first rows that fit one response; at least one. @param frame the rest of the body */
export function fittingRows(rows: readonly string[], frame = ''): readonly string[] {
  // The separator `,\n` has three encoded bytes; two of them are the quotes that `encodedBytes` counts.
  let left = MAX_RESPONSE_BYTES - encodedBytes(frame);
  const excess = rows.findIndex((row) => {
    left -= encodedBytes(row) + 1;
    return left < 0;
  });
  return excess === -1 ? rows : rows.slice(0, Math.max(1, excess));
}
