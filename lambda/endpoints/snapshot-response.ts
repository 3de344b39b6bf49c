import { MAX_LINK_BYTES } from '../contract/constants.ts';
import { ageSeconds, cacheableSeconds } from '../domain/freshness.ts';
import { cutPage, fittingRows, type PageLink, pageLinks } from '../domain/paging.ts';
import type { HttpResponse } from '../http/response.ts';
import { cacheControl, conditional, contentTag } from '../http/response.ts';
import type { CachedResponse, MarketSnapshot } from '../query/market-snapshot.ts';
import type { Snapshots } from '../snapshots/snapshot-cache.ts';

/** What an endpoint needs that responds from a snapshot. */
export interface SnapshotEndpointDeps {
  readonly snapshots: Snapshots;
  /** Unix ms. */
  readonly now: () => number;
}

/** The part of a response that depends on the snapshot and the query only. */
export type Content = Omit<CachedResponse, 'tag'>;

/** @param id undefined: the newest */
export function snapshotOf({ snapshots }: SnapshotEndpointDeps, id: string | undefined): Promise<MarketSnapshot> {
  return id === undefined ? snapshots.latest() : snapshots.byId(id);
}

/**
 * A response from a snapshot, which browsers may keep until the data is two minutes old. Its tag depends on the content
 * alone: a caller that polls gets 304 while the content is the same, also when newer snapshots were published.
 *
 * @param query everything that the content depends on besides the snapshot, as JSON
 * @param make called only when the snapshot has no response for the query yet
 */
export function snapshotResponse(
  { now }: SnapshotEndpointDeps,
  requestHeaders: Readonly<Record<string, string>>,
  { info, responses }: MarketSnapshot,
  query: readonly unknown[],
  make: () => Content,
): HttpResponse {
  const key = JSON.stringify(query);
  let response = responses.get(key);
  if (!response) {
    const content = make();
    response = { ...content, tag: contentTag(content.body) };
    responses.set(key, response);
  }
  const { body, tag, headers } = response;
  const seconds = cacheableSeconds(ageSeconds(info.asOf, now()));
  const common = { 'Cache-Control': cacheControl(seconds), 'X-Snapshot-Id': info.id };
  return conditional(requestHeaders, { tag, lastModified: info.asOf }, { ...common, ...headers }, () => body);
}

/** A request for a list as its links repeat it. */
interface ListRequest {
  readonly path: string;
  /** Its query as it was sent. */
  readonly sent: Readonly<Record<string, string>>;
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
export function listPage<T>(
  request: ListRequest & { readonly parameters: { readonly limit: number; readonly offset: number } },
  snapshot: MarketSnapshot,
  items: readonly T[],
  encode: (item: T) => string,
): { readonly rows: readonly string[]; readonly headers: Readonly<Record<string, string>> } {
  const { limit, offset } = request.parameters;
  const { start, end } = cutPage(items.length, offset, limit);
  const rows = fittingRows(items.slice(start, end).map(encode));
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
