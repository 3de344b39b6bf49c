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
  /** Everything that the content depends on besides the snapshot, as JSON. */
  readonly query: readonly unknown[];
}

/** The part of a response that depends on the snapshot and the query only. */
export type ResponseContent = Omit<CachedResponse, 'etag'>;

/** @param id undefined: the newest */
export function snapshotOf({ snapshots }: SnapshotEndpointDeps, id: string | undefined): Promise<MarketSnapshot> {
  return id === undefined ? snapshots.latest() : snapshots.byId(id);
}

/**
 * A response from a snapshot, which browsers may keep until the data is two minutes old. Its ETag depends on the content
 * alone: a caller that polls gets 304 while the content is the same, even when newer snapshots were published.
 *
 * @param make called only when the snapshot has no response for the query yet
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

/** A request for a list as its links repeat it. */
interface ListRequest {
  readonly path: string;
  /** Its query as it was sent. */
  readonly sent: Readonly<Record<string, string>>;
}

interface PageLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
  readonly limit: number;
}

/** The links that fit into the header, from the most to the least. */
const LINK_CHOICES: readonly (readonly PageLink['rel'][])[] = [
  ['next', 'prev', 'first', 'last'],
  ['next', 'prev'],
  ['next'],
];

/**
 * The page of a list that `limit` and `offset` name. A page that is too long for Lambda is cut short.
 *
 * @param items of the whole list @param encode an item as a row of the response
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

/**
 * RFC 8288. The links name the snapshot, so that all pages come from one snapshot. The header repeats the
 * query, so it leaves out links until it has at most 4 KB.
 */
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
 * Links to the other pages, the most useful first; none when the page holds everything. `next` begins where this page
 * ends, also when the page was cut short. The page of `prev` ends where this one begins.
 *
 * @param page its positions: `start` up to, not including, `end`
 * @param rowsBefore how many rows the page of `prev` has: at most `limit`, and those that fit one response
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
 * The first of the rows that together fit one response; at least one, since no row is that long.
 *
 * @param frame what the body has besides the rows
 */
export function fittingRows(rows: readonly string[], frame = ''): readonly string[] {
  // The separator `,\n` has three bytes once it is encoded; the quotes that `encodedBytes` counts are two of them.
  let left = MAX_RESPONSE_BYTES - encodedBytes(frame);
  const excess = rows.findIndex((row) => {
    left -= encodedBytes(row) + 1;
    return left < 0;
  });
  return excess === -1 ? rows : rows.slice(0, Math.max(1, excess));
}
