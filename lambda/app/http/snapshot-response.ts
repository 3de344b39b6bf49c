import { MAX_LINK_BYTES, MAX_RESPONSE_BYTES } from '../../core/contract/constants.ts';
import { ageSeconds, cacheableSeconds } from '../../core/domain/freshness.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { atomFeed, feedTime, feedWindow } from '../../core/query/feed.ts';
import type { CachedResponse, MarketSnapshot } from '../../core/query/market-snapshot.ts';
import type { Snapshots } from '../../io/snapshots/snapshot-cache.ts';
import { cacheControl, conditional, contentEtag, encodedBytes, type HttpResponse } from './response.ts';

export interface SnapshotEndpointDeps {
  readonly snapshots: Snapshots;
  readonly now: () => UnixMs;
}

interface SnapshotRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** What the content depends on besides the snapshot, as JSON. */
  readonly query: readonly unknown[];
}

/** Depends on snapshot and query only. */
export type ResponseContent = Omit<CachedResponse, 'etag'>;

/** @param id undefined: the newest */
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
  const { body, etag, headers, updated } = response;
  const seconds = cacheableSeconds(ageSeconds(info.asOf, now()));
  const common = {
    'Cache-Control': cacheControl(seconds),
    ...(updated === undefined ? { 'X-Snapshot-Id': info.id } : {}),
    'X-Catalogue-As-Of': new Date(info.catalogueAsOf).toISOString(),
  };
  return conditional(requestHeaders, { etag, lastModified: updated ?? info.asOf }, { ...common, ...headers }, body);
}

interface FeedRequest extends ListRequest {
  readonly origin?: string | undefined;
  readonly parameters: Parameters<typeof feedWindow>[0];
}

/** The response of `format=atom`: the markets at these positions that moved. @param subject of the feed */
export function feedContent(
  { origin = '', path, sent, parameters }: FeedRequest,
  snapshot: MarketSnapshot,
  positions: readonly number[],
  subject: string | undefined,
): ResponseContent {
  const updated = feedTime(snapshot.info.asOf);
  const address = `${origin}${path}?${new URLSearchParams(sent)}`;
  const feed = { subject, window: feedWindow(parameters), address, updated };
  const body = atomFeed(
    feed,
    positions.map((position) => snapshot.market(position)),
  );
  return { body, updated, headers: { 'Content-Type': 'application/atom+xml; charset=utf-8' } };
}

/** As the list's links repeat it. */
interface ListRequest {
  readonly path: string;
  /** As sent. */
  readonly sent: Readonly<Record<string, string>>;
}

interface PageLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
  readonly limit: number;
}

/** From the most to the least, until the header fits. */
const LINK_CHOICES: readonly (readonly PageLink['rel'][])[] = [
  ['next', 'prev', 'first', 'last'],
  ['next', 'prev'],
  ['next'],
];

/**
 * A page that is too long for Lambda is cut short.
 *
 * @param items the whole list @param encode an item as a row
 */
export function listSlice<T>(
  request: ListRequest & { readonly parameters: { readonly limit: number; readonly offset: number } },
  snapshot: MarketSnapshot,
  items: readonly T[],
  encode: (item: T) => string,
): { readonly rows: readonly string[]; readonly headers: Readonly<Record<string, string>> } {
  const { limit, offset } = request.parameters;
  const start = Math.min(offset, items.length);
  const rows = fittingRows(items.slice(start, start + limit).map(encode));
  const before = fittingRows(
    items
      .slice(Math.max(0, start - limit), start)
      .reverse()
      .map(encode),
  );
  const links = pageLinks(items.length, { start, end: start + rows.length }, limit, before.length);
  return { rows, headers: { 'X-Total-Count': String(items.length), ...linkHeaders(request, snapshot, links) } };
}

/** RFC 8288. All links name the snapshot and repeat the query. Links are omitted until the header has at most 4 KB. */
export function linkHeaders(
  { path, sent }: ListRequest,
  { info }: MarketSnapshot,
  links: readonly PageLink[],
): Readonly<Record<string, string>> {
  const { limit: _limit, offset: _offset, snapshot: _snapshot, ...others } = sent;
  const target = ({ offset, limit }: PageLink) =>
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
 * Most useful first; none if the page holds everything. `next` begins where this page ends, even if it was cut short;
 * `prev` ends where it begins.
 *
 * @param page positions: `start` up to, not including, `end`
 * @param rowsBefore rows of the page of `prev`: at most `limit`, and those that fit one response
 */
export function pageLinks(
  total: number,
  page: { readonly start: number; readonly end: number },
  limit: number,
  rowsBefore: number,
): PageLink[] {
  const links: PageLink[] = [];
  if (page.start === 0 && page.end === total) return links;
  if (page.end < total) links.push({ rel: 'next', offset: page.end, limit });
  if (page.start > 0) links.push({ rel: 'prev', offset: page.start - rowsBefore, limit: rowsBefore });
  links.push({ rel: 'first', offset: 0, limit });
  links.push({ rel: 'last', offset: Math.floor(Math.max(0, total - 1) / limit) * limit, limit });
  return links;
}

/**
 * The first rows that fit one response; at least one, since no row is that long.
 *
 * @param frame the rest of the body
 */
export function fittingRows(rows: readonly string[], frame = ''): readonly string[] {
  // The separator `,\n` has three encoded bytes; `encodedBytes` counts two of them as quotes.
  let left = MAX_RESPONSE_BYTES - encodedBytes(frame);
  const excess = rows.findIndex((row) => {
    left -= encodedBytes(row) + 1;
    return left < 0;
  });
  return excess === -1 ? rows : rows.slice(0, Math.max(1, excess));
}
