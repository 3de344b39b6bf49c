// A list comes in pages. Each page has links to the next, previous, first and last page in its
// header `Link`, and at most as many rows as one response of Lambda holds.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_RESPONSE_BYTES } from '../../../lambda/core/contract/constants.ts';
import { fittingRows, listPage } from '../../../lambda/http/list-pages.ts';
import { loadedSnapshot } from '../../support/markets.ts';

/** The place of a page in its list, which a request names. */
interface Page {
  readonly offset: number;
  readonly limit: number;
}
type Links = Readonly<Partial<Record<'next' | 'prev' | 'first' | 'last', Page>>>;

/** Reads a page of the list 0, 1, 2 and so on, with this many items. */
function readPage(total: number, { offset, limit }: Page) {
  const items = Array.from({ length: total }, (_, n) => n);
  const request = { path: '/', sent: {}, parameters: { limit, offset } };
  const { rows, headers } = listPage(request, loadedSnapshot([]), items, String);
  return { rows: rows.map(Number), links: linksIn(headers.Link ?? '') };
}

/** The pages in a header, for example `</?limit=20&offset=40&snapshot=…>; rel="next"`. */
function linksIn(header: string): Links {
  const found = header.matchAll(/limit=(\d+)&offset=(\d+)&[^>]+>; rel="(\w+)"/g);
  const links = Array.from(found, ([, limit, offset, rel = '']) => {
    return [rel, { offset: Number(offset), limit: Number(limit) }];
  });
  return Object.fromEntries(links);
}

/** The rows of each page that a client reads if it follows one kind of link from these links. */
function pagesBehind(total: number, links: Links, rel: 'next' | 'prev'): readonly number[][] {
  const pages: number[][] = [];
  for (let link = links[rel]; link; ) {
    const page = readPage(total, link);
    pages.push(page.rows);
    link = page.links[rel];
  }
  return pages;
}

describe('the links of a list', () => {
  it('lead through all of it, forwards and back, from any page [sentences 3, 21]', () => {
    const requests = fc.record({
      total: fc.nat(60),
      offset: fc.nat(70),
      limit: fc.integer({ min: 1, max: 65 }),
    });
    fc.assert(
      fc.property(requests, ({ total, offset, limit }) => {
        const { rows, links } = readPage(total, { offset, limit });
        const before = pagesBehind(total, links, 'prev').toReversed();
        const after = pagesBehind(total, links, 'next');
        const all = Array.from({ length: total }, (_, n) => n);
        expect([...before, rows, ...after].flat()).toEqual(all);
      }),
    );
  });

  it('have next, first and last on the first page', () => {
    expect(readPage(50, { offset: 0, limit: 20 }).links).toEqual({
      next: { offset: 20, limit: 20 },
      first: { offset: 0, limit: 20 },
      last: { offset: 40, limit: 20 },
    });
  });

  it('have prev, first and last on the last page', () => {
    expect(readPage(50, { offset: 40, limit: 20 }).links).toEqual({
      prev: { offset: 20, limit: 20 },
      first: { offset: 0, limit: 20 },
      last: { offset: 40, limit: 20 },
    });
  });

  it('have a shorter prev if fewer rows come before the page', () => {
    const { links } = readPage(40, { offset: 5, limit: 20 });
    expect(links.prev).toEqual({ offset: 0, limit: 5 });
  });

  it('lead back to the end of the list from an offset after it', () => {
    const { links } = readPage(3, { offset: 9, limit: 2 });
    expect(links.prev).toEqual({ offset: 1, limit: 2 });
    expect(links).not.toHaveProperty('next');
  });

  it.each([
    [20, { offset: 0, limit: 20 }],
    [0, { offset: 5, limit: 20 }],
  ])('do not exist if the page has the whole list: %i rows, %j [sentence 21]', (total, page) => {
    expect(readPage(total, page).links).toEqual({});
  });
});

// A list has one row per line. Lambda sends the body as one JSON text, in which a row takes its
// bytes and three for `,` and `\n`. The frame, such as the fields of an event around its markets,
// takes its bytes and two for the quotes of the text.
describe('a response that Lambda can send', () => {
  /** Three of these rows fill a response, and leave no byte for a frame. */
  const row = 'a'.repeat(MAX_RESPONSE_BYTES / 3 - 3);
  const shorterBy = (bytes: number) => row.slice(bytes);

  it('has as many rows as fit beside an empty frame, which takes two bytes', () => {
    expect(fittingRows([row, row, shorterBy(2)])).toHaveLength(3);
    expect(fittingRows([row, row, shorterBy(1)])).toHaveLength(2);
  });

  it('has as many rows as fit beside a frame of one letter, which takes three bytes', () => {
    expect(fittingRows([row, row, shorterBy(3)], 'x')).toHaveLength(3);
    expect(fittingRows([row, row, shorterBy(2)], 'x')).toHaveLength(2);
  });

  it('has one row at least', () => {
    expect(fittingRows(['a'.repeat(MAX_RESPONSE_BYTES), 'b'])).toHaveLength(1);
  });
});
