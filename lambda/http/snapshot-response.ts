import { LRUCache } from 'lru-cache';
import { MAX_LINK_BYTES, MAX_RESPONSE_BYTES } from '../core/contract/constants.ts';
import { ageSeconds, cacheableSeconds, type UnixMs } from '../core/domain/time.ts';
import type { MarketSnapshot } from '../core/query/market-snapshot.ts';
import type { Snapshots } from '../io/snapshots/snapshot-cache.ts';
import {
  cacheControl,
  conditional,
  contentEtag,
  encodedBytes,
  type HttpResponse,
} from './response.ts';

/** What the endpoints of snapshots use. */
export interface SnapshotEndpointDeps {
  readonly snapshots: Snapshots;
  readonly now: () => UnixMs;
}

/** The part of a response that depends on snapshot and query only. */
export interface ResponseContent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type CachedResponse = ResponseContent & { readonly etag: string };

interface SnapshotRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** What the content depends on besides the snapshot, as JSON. */
  readonly query: readonly unknown[];
}

/** The cached responses of a snapshot, and the characters of their queries and bodies. */
const RESPONSE_CACHE_SIZE = 64;
const RESPONSE_CACHE_CHARACTERS = 4_000_000;
/** Responses by query: most callers send the same few queries, once a minute. */
const responsesOf = new WeakMap<MarketSnapshot, LRUCache<string, CachedResponse>>();

/** The snapshot that a link names, or the newest one if the request has no snapshot id. */
export function snapshotOf(
  { snapshots }: SnapshotEndpointDeps,
  id: string | undefined,
): Promise<MarketSnapshot> {
  return id === undefined ? snapshots.latest() : snapshots.byId(id);
}

/**
 * A response from a snapshot. Browsers may keep it until the data is two minutes old.
 *
 * The ETag depends on the content alone, so polling callers get 304 until it changes, even from
 * newer snapshots.
 *
 * @param make called only if the snapshot has no cached response
 */
export function snapshotResponse(
  { now }: SnapshotEndpointDeps,
  snapshot: MarketSnapshot,
  { headers: requestHeaders, query }: SnapshotRequest,
  make: () => ResponseContent,
): HttpResponse {
  const { info } = snapshot;
  const { body, etag, headers } = cachedResponse(snapshot, JSON.stringify(query), make);
  const seconds = cacheableSeconds(ageSeconds(info.asOf, now()));
  const common = {
    'Cache-Control': cacheControl(seconds),
    'X-Snapshot-Id': info.id,
    'X-Catalogue-As-Of': new Date(info.cataloguePricesAsOf).toISOString(),
  };
  return conditional(
    requestHeaders,
    body,
    { ...common, ...headers },
    { etag, lastModified: info.asOf },
  );
}

/** The response from the snapshot's cache, or a new one that is cached. */
function cachedResponse(
  snapshot: MarketSnapshot,
  query: string,
  make: () => ResponseContent,
): CachedResponse {
  const responses =
    responsesOf.get(snapshot) ??
    new LRUCache<string, CachedResponse>({
      max: RESPONSE_CACHE_SIZE,
      maxSize: RESPONSE_CACHE_CHARACTERS,
      sizeCalculation: ({ body }, key) => body.length + key.length,
    });
  responsesOf.set(snapshot, responses);
  const cached = responses.get(query);
  if (cached) return cached;
  const content = make();
  const response = { ...content, etag: contentEtag(content.body) };
  responses.set(query, response);
  return response;
}

/** What links repeat of a request. */
interface ListRequest {
  readonly path: string;
  /** The parameters as the caller sent them. */
  readonly sent: Readonly<Record<string, string>>;
}

interface ListLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
  readonly limit: number;
}

/** The links that a header has: the first of these choices that is short enough. */
const LINK_CHOICES: readonly (readonly ListLink['rel'][])[] = [
  ['next', 'prev', 'first', 'last'],
  ['next', 'prev'],
  ['next'],
];

/**
 * One page of a list with its headers. The page ends early if Lambda would not accept more rows.
 *
 * @param items the whole list
 * @param encode an item as a row
 */
export function listSlice<T>(
  request: ListRequest & {
    readonly parameters: { readonly limit: number; readonly offset: number };
  },
  snapshot: MarketSnapshot,
  items: readonly T[],
  encode: (item: T) => string,
): { readonly rows: readonly string[]; readonly headers: Readonly<Record<string, string>> } {
  const { limit, offset } = request.parameters;
  const start = Math.min(offset, items.length);
  const rows = fittingRows(items.slice(start, start + limit).map(encode));
  const links = listLinks(items.length, { start, end: start + rows.length }, limit);
  return {
    rows,
    headers: { 'X-Total-Count': String(items.length), ...linkHeaders(request, snapshot, links) },
  };
}

/**
 * The `Link` header (RFC 8288). All links name the snapshot and repeat the query. Links beyond 4 KB
 * are omitted.
 */
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
 * The links of a page; empty if the slice holds everything. `next` begins where the slice ends,
 * even if it was cut short.
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

/**
 * The first rows that fit one response, at least one.
 *
 * @param frame the rest of the body
 */
export function fittingRows(rows: readonly string[], frame = ''): readonly string[] {
  // The separator `,\n` has three encoded bytes, two of which are the quotes that `encodedBytes`
  // counts.
  let left = MAX_RESPONSE_BYTES - encodedBytes(frame);
  const excess = rows.findIndex((row) => {
    left -= encodedBytes(row) + 1;
    return left < 0;
  });
  return excess === -1 ? rows : rows.slice(0, Math.max(1, excess));
}
