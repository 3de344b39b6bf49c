import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_RESPONSE_BYTES } from '../../../lambda/core/contract/constants.ts';
import { fittingRows, listPage } from '../../../lambda/http/list-pages.ts';
import { loadedSnapshot } from '../../support/markets.ts';

/** A page of a list, as a request names it. */
interface Page {
  readonly offset: number;
  readonly limit: number;
}
type Links = Readonly<Partial<Record<'next' | 'prev' | 'first' | 'last', Page>>>;

/** A page of the list 0, 1, 2 and so on, with its links. */
function readPage(total: number, { offset, limit }: Page) {
  const items = Array.from({ length: total }, (_, n) => n);
  const request = { path: '/', sent: {}, parameters: { limit, offset } };
  const { rows, headers } = listPage(request, loadedSnapshot([]), items, String);
  // Reads for example `<…limit=20&offset=40&…>; rel="next"`.
  const found = (headers.Link ?? '').matchAll(/limit=(\d+)&offset=(\d+)&[^>]+>; rel="(\w+)"/g);
  const links: Links = Object.fromEntries(
    Array.from(found, ([, size, start, rel = '']) => [
      rel,
      { offset: Number(start), limit: Number(size) },
    ]),
  );
  return { rows: rows.map(Number), links };
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
        const before: number[] = [];
        for (let link = links.prev; link; ) {
          const page = readPage(total, link);
          before.unshift(...page.rows);
          link = page.links.prev;
        }
        const after: number[] = [];
        for (let link = links.next; link; ) {
          const page = readPage(total, link);
          after.push(...page.rows);
          link = page.links.next;
        }
        const all = Array.from({ length: total }, (_, n) => n);
        expect([...before, ...rows, ...after]).toEqual(all);
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

describe('a response that Lambda can send', () => {
  // The body is sent as a JSON text. So each row takes its bytes and three for `,` and `\n`, and
  // the frame takes its bytes and two for its quotes. Three of these rows fill a response alone.
  const row = 'a'.repeat(MAX_RESPONSE_BYTES / 3 - 3);
  const shorterBy = (bytes: number) => row.slice(bytes);

  it('has as many rows as fit beside an empty frame', () => {
    expect(fittingRows([row, row, shorterBy(2)])).toHaveLength(3);
    expect(fittingRows([row, row, shorterBy(1)])).toHaveLength(2);
  });

  it('has as many rows as fit beside the text of a frame', () => {
    expect(fittingRows([row, row, shorterBy(3)], 'x')).toHaveLength(3);
    expect(fittingRows([row, row, shorterBy(2)], 'x')).toHaveLength(2);
  });

  it('has one row at least', () => {
    expect(fittingRows(['a'.repeat(MAX_RESPONSE_BYTES), 'b'])).toHaveLength(1);
  });
});
