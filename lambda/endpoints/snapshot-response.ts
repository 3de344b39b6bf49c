import { MAX_LINK_BYTES, MAX_RESPONSE_BYTES } from '../contract/constants.ts';
import { ageSeconds, cacheableSeconds } from '../domain/freshness.ts';
import {
  cutPage,
  encodedBytes,
  fitsResponse,
  fittingRows,
  type Page,
  type PageLink,
  pageLinks,
} from '../domain/paging.ts';
import { cacheControl, conditional, contentTag } from '../http/caching.ts';
import type { HttpResponse } from '../http/response.ts';
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

/** A list of rows that a response shows a page of. */
export interface RowList {
  readonly total: number;
  rowAt(index: number): string;
  /** The body for some of the rows. */
  join(rows: readonly string[]): string;
}

/** A request for a list as its links repeat it. */
export interface ListRequest {
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

/** The page of a list that `limit` and `offset` name, with the headers about the other pages. */
export function listPage(
  request: ListRequest & { readonly parameters: { readonly limit: number; readonly offset: number } },
  snapshot: MarketSnapshot,
  list: RowList,
): Content {
  const { limit, offset } = request.parameters;
  const { body, page } = fittingPage(list, cutPage(list.total, offset, limit));
  const rowsBefore = (end: number, max: number) =>
    fittingRows((step) => list.rowAt(end - 1 - step), max, rowBytes(list));
  const links = pageLinks(list.total, page, limit, rowsBefore);
  const headers = { 'X-Total-Count': String(list.total), ...linkHeaders(request, snapshot, links) };
  return { body, headers };
}

/** The body of a page. A page that is too long for Lambda is cut short. */
export function fittingPage(list: RowList, { start, end }: Page): { readonly body: string; readonly page: Page } {
  const rows = Array.from({ length: end - start }, (_, n) => list.rowAt(start + n));
  const body = list.join(rows);
  if (fitsResponse(body)) return { body, page: { start, end } };
  const count = fittingRows((step) => rows[step] ?? '', rows.length, rowBytes(list));
  return { body: list.join(rows.slice(0, count)), page: { start, end: start + count } };
}

function rowBytes(list: RowList): number {
  return MAX_RESPONSE_BYTES - encodedBytes(list.join([]));
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
