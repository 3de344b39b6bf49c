/** A page of the list: positions `start` up to, not including, `end`. */
export interface Page {
  readonly start: number;
  readonly end: number;
}

export interface PageLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
}

/**
 * The page that `offset` and `limit` ask for. An offset past the end is an empty page.
 *
 * @param fits how many markets from `start` fit into one answer (Lambda's limit); at least 1
 */
export function cutPage(
  total: number,
  offset: number,
  limit: number,
  fits: (start: number) => number = () => total,
): Page {
  const start = Math.min(offset, total);
  return { start, end: Math.min(start + limit, start + fits(start), total) };
}

/**
 * Where the other pages begin. `next` goes on exactly where this page ended, also when it was cut short;
 * `prev` and `next` are left out at the ends.
 */
export function pageLinks(total: number, page: Page, limit: number): PageLink[] {
  const links: PageLink[] = [{ rel: 'first', offset: 0 }];
  if (page.start > 0) links.push({ rel: 'prev', offset: Math.max(0, page.start - limit) });
  if (page.end < total) links.push({ rel: 'next', offset: page.end });
  const cutShort = page.end < total && page.end - page.start < limit;
  const size = cutShort ? page.end - page.start : limit;
  links.push({ rel: 'last', offset: Math.floor(Math.max(0, total - 1) / size) * size });
  return links;
}
