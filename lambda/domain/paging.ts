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
 * @param rowsBefore how many of the `max` rows that end at `end` fit one response
 */
export function pageLinks(
  total: number,
  page: Page,
  limit: number,
  rowsBefore: (end: number, max: number) => number = (_, max) => max,
): PageLink[] {
  const links: PageLink[] = [];
  if (page.start === 0 && page.end === total) return links;
  if (page.end < total) links.push({ rel: 'next', offset: page.end, limit });
  if (page.start > 0) {
    const rows = rowsBefore(page.start, Math.min(limit, page.start));
    links.push({ rel: 'prev', offset: page.start - rows, limit: rows });
  }
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

/** How many of `max` rows fit into `bytes`, at least one. `rowAt` returns the rows in the order in which they count. */
export function fittingRows(rowAt: (step: number) => string, max: number, bytes: number): number {
  let left = bytes;
  for (let step = 0; step < max; step += 1) {
    // The separator `,\n` has three bytes once it is encoded; the quotes that `encodedBytes` counts are two of them.
    left -= encodedBytes(rowAt(step)) + 1;
    if (left < 0) return Math.max(1, step);
  }
  return max;
}
