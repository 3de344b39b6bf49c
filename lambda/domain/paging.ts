import { MAX_RESPONSE_BYTES } from '../contract/constants.ts';

/** A page of a list: positions `start` up to, not including, `end`. */
export interface Page {
  readonly start: number;
  readonly end: number;
}

export interface PageLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
  readonly limit: number;
}

/** The page that `offset` and `limit` name. An offset beyond the end is an empty page. */
export function cutPage(total: number, offset: number, limit: number): Page {
  const start = Math.min(offset, total);
  return { start, end: Math.min(total, start + limit) };
}

/**
 * Links to the other pages, the most useful first; none when the page holds everything. `next` begins where this page
 * ends, also when the page was cut short. The page of `prev` ends where this one begins.
 *
 * @param rowsBefore how many rows the page of `prev` has: at most `limit`, and those that fit one response
 */
export function pageLinks(total: number, page: Page, limit: number, rowsBefore: number): PageLink[] {
  const links: PageLink[] = [];
  if (page.start === 0 && page.end === total) return links;
  if (page.end < total) links.push({ rel: 'next', offset: page.end, limit });
  if (page.start > 0) links.push({ rel: 'prev', offset: page.start - rowsBefore, limit: rowsBefore });
  links.push({ rel: 'first', offset: 0, limit });
  links.push({ rel: 'last', offset: Math.floor(Math.max(0, total - 1) / limit) * limit, limit });
  return links;
}

/** A control character in the text of a CSV cell becomes `\u0007`, which is six bytes. */
const MAX_BYTES_PER_CHARACTER = 6;

/** Bytes of a text inside Lambda's result, where the whole body is one JSON string. */
export function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Whether Lambda accepts a response with this body. */
export function fitsResponse(body: string): boolean {
  return body.length * MAX_BYTES_PER_CHARACTER <= MAX_RESPONSE_BYTES || encodedBytes(body) <= MAX_RESPONSE_BYTES;
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
