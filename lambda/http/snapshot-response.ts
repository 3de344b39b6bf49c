/**
 * Responses from a snapshot (all listed markets with their prices at one time): their headers, and a
 * cache for equal requests.
 */
import { LRUCache } from 'lru-cache';
import { ageSeconds, cacheableSeconds, type UnixMs } from '../core/domain/time.ts';
import type { MarketSnapshot } from '../core/query/market-snapshot.ts';
import type { Snapshots } from '../io/snapshots/snapshot-cache.ts';
import { cacheControl, conditional, contentEtag, type HttpResponse } from './response.ts';

/** What the endpoints of snapshots use. */
export interface SnapshotEndpointDeps {
  readonly snapshots: Snapshots;
  readonly now: () => UnixMs;
}

/** The part of a response that depends only on the snapshot and the query. */
export interface ResponseContent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type CachedResponse = ResponseContent & { readonly etag: string };

interface SnapshotRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** All that the content depends on besides the snapshot: the key of the cache. */
  readonly query: readonly unknown[];
}

/** The most responses that a snapshot's cache has. */
const RESPONSE_CACHE_SIZE = 64;
/** The most characters of queries and bodies in a snapshot's cache. */
const RESPONSE_CACHE_CHARACTERS = 4_000_000;
/**
 * A cache of responses by query for each snapshot, which goes away with the snapshot. Most callers
 * send the same few queries, once a minute.
 */
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
