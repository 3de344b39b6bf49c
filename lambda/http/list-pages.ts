/**
 * Pages of a list, such as the markets 50 to 100 of all that match a request: the rows that fit a
 * response, and the header with links to other pages.
 */
import { MAX_LINK_BYTES, MAX_RESPONSE_BYTES } from '../core/contract/constants.ts';
import type { MarketSnapshot } from '../core/query/market-snapshot.ts';
import { encodedBytes } from './response.ts';

/** The parts of a request for a list that links repeat. */
interface ListRequest {
  readonly path: string;
  /** The parameters as the caller sent them. */
  readonly sent: Readonly<Record<string, string>>;
}

/** A link to a page of the same list. */
interface ListLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
  readonly limit: number;
}

/** The rows of a page, and the headers with the size of the list and the links. */
interface ListPage {
  readonly rows: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The page of a list that a request names. It ends early if Lambda would not accept more rows.
 *
 * @param items the whole list
 * @param encode writes an item as a row
 */
export function listPage<T>(
  request: ListRequest & {
    readonly parameters: { readonly limit: number; readonly offset: number };
  },
  snapshot: MarketSnapshot,
  items: readonly T[],
  encode: (item: T) => string,
): ListPage {
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
 * Which links a header has: those of the first choice that is short enough. A caller needs `next`
 * most.
 */
const LINK_CHOICES: readonly (readonly ListLink['rel'][])[] = [
  ['next', 'prev', 'first', 'last'],
  ['next', 'prev'],
  ['next'],
];

/**
 * The `Link` header (RFC 8288). All links repeat the query, and name the snapshot, so that all
 * pages are of one list. Links beyond 4 KB are omitted.
 */
export function linkHeaders(
  { path, sent }: ListRequest,
  { info }: MarketSnapshot,
  links: readonly ListLink[],
): Readonly<Record<string, string>> {
  const { limit: _limit, offset: _offset, snapshot: _snapshot, ...otherParameters } = sent;
  const linkText = ({ rel, offset, limit }: ListLink) => {
    const place = { limit: `${limit}`, offset: `${offset}`, snapshot: info.id };
    return `<${path}?${new URLSearchParams({ ...otherParameters, ...place })}>; rel="${rel}"`;
  };
  for (const rels of LINK_CHOICES) {
    const chosen = links.filter(({ rel }) => rels.includes(rel));
    const Link = chosen.map(linkText).join(', ');
    if (Buffer.byteLength(Link) <= MAX_LINK_BYTES) return Link === '' ? {} : { Link };
  }
  return {};
}

/**
 * The links of a page. A page with the whole list needs none. `next` begins where the page ends,
 * even if it ended early; `prev` ends where it begins. For example, with a limit of 50, the page 50
 * to 100 of 130 has the offsets next=100, prev=0, first=0 and last=100.
 *
 * @param page positions in the list: `start` up to, not including, `end`
 */
export function listLinks(
  total: number,
  page: { readonly start: number; readonly end: number },
  limit: number,
): ListLink[] {
  const links: ListLink[] = [];
  if (page.start === 0 && page.end === total) return links;
  if (page.end < total) links.push({ rel: 'next', offset: page.end, limit });
  const before = Math.min(limit, page.start);
  if (before > 0) links.push({ rel: 'prev', offset: page.start - before, limit: before });
  links.push({ rel: 'first', offset: 0, limit });
  const lastPosition = Math.max(0, total - 1);
  links.push({ rel: 'last', offset: lastPosition - (lastPosition % limit), limit });
  return links;
}

/**
 * The first rows that fit one response, at least one.
 *
 * @param frame the rest of the body, if it has more than the rows
 */
export function fittingRows(rows: readonly string[], frame = ''): readonly string[] {
  let bytesLeft = MAX_RESPONSE_BYTES - encodedBytes(frame);
  for (const [position, row] of rows.entries()) {
    // Lambda sends the body as a JSON string, in which three bytes separate rows: a comma and an
    // escaped line break. `encodedBytes` already counts two, as quotes around the row.
    bytesLeft -= encodedBytes(row) + 1;
    if (bytesLeft < 0) return rows.slice(0, Math.max(1, position));
  }
  return rows;
}
