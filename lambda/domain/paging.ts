/** A page of the list: positions `start` up to, not including, `end`. */
export interface Page {
  readonly start: number;
  readonly end: number;
}

export interface PageLink {
  readonly rel: 'first' | 'prev' | 'next' | 'last';
  readonly offset: number;
}

/** How many entries fit into one response (Lambda's limit), forwards from one of them and backwards from one. */
export interface Room {
  /** At least 1. */
  readonly from: (start: number, most: number) => number;
  /** At least 1. */
  readonly before: (end: number, most: number) => number;
}

/** Room for any number. */
export const NO_BOUND: Room = { from: (_, most) => most, before: (_, most) => most };

/** The page that `offset` and `limit` ask for, cut short where it would not fit. An offset past the end is an empty one. */
export function cutPage(total: number, offset: number, limit: number, room: Room = NO_BOUND): Page {
  const start = Math.min(offset, total);
  const most = Math.min(limit, total - start);
  return { start, end: start + (most === 0 ? 0 : Math.min(most, room.from(start, most))) };
}

/**
 * Where the other pages begin. `next` goes on exactly where this page ended, also when it was cut short, and a page
 * that `prev` or `last` name reaches to where this one begins, or to the end; `prev` and `next` are left out at the ends.
 */
export function pageLinks(total: number, page: Page, limit: number, room: Room = NO_BOUND): PageLink[] {
  const links: PageLink[] = [{ rel: 'first', offset: 0 }];
  if (page.start > 0) links.push({ rel: 'prev', offset: startOf(page.start, limit, room) });
  if (page.end < total) links.push({ rel: 'next', offset: page.end });
  const last = Math.floor(Math.max(0, total - 1) / limit) * limit;
  const whole = total === 0 || room.from(last, total - last) >= total - last;
  links.push({ rel: 'last', offset: whole ? last : startOf(total, limit, room) });
  return links;
}

/** The start of a page that ends at `end`, as long as it may be. */
function startOf(end: number, limit: number, room: Room): number {
  const most = Math.min(limit, end);
  return end - Math.min(most, room.before(end, most));
}

/** @param weightOf bytes that an entry takes */
export function roomFor(weightOf: (index: number) => number, maxBytes: number): Room {
  const count = (indexAt: (step: number) => number, most: number): number => {
    let bytes = 0;
    for (let step = 0; step < most; step += 1) {
      bytes += weightOf(indexAt(step));
      if (bytes > maxBytes) return Math.max(1, step);
    }
    return most;
  };
  return {
    from: (start, most) => count((step) => start + step, most),
    before: (end, most) => count((step) => end - 1 - step, most),
  };
}
