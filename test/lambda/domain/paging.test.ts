import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_RESPONSE_BYTES } from '../../../lambda/contract/constants.ts';
import { cutPage, encodedBytes, fitsResponse, fittingRows, pageLinks } from '../../../lambda/domain/paging.ts';

describe('cutPage', () => {
  it.each([
    [1_000, 0, 500, { start: 0, end: 500 }],
    [1_000, 900, 500, { start: 900, end: 1_000 }],
    [1_000, 1_000, 500, { start: 1_000, end: 1_000 }],
    [1_000, Number.MAX_SAFE_INTEGER, 1, { start: 1_000, end: 1_000 }],
    [0, 0, 500, { start: 0, end: 0 }],
  ])('of %i markets from %i, at most %i', (total, offset, limit, page) => {
    expect(cutPage(total, offset, limit)).toEqual(page);
  });
});

describe('pageLinks', () => {
  const linksOf = (total: number, offset: number, limit: number) =>
    Object.fromEntries(
      pageLinks(total, cutPage(total, offset, limit), limit, Math.min(limit, cutPage(total, offset, limit).start)).map(
        (link) => [link.rel, [link.offset, link.limit]],
      ),
    );

  it.each([
    ['the first page', 1_000, 0, 400, { next: [400, 400], first: [0, 400], last: [800, 400] }],
    ['a page in the middle', 1_000, 400, 400, { next: [800, 400], prev: [0, 400], first: [0, 400], last: [800, 400] }],
    ['the last page', 1_000, 800, 400, { prev: [400, 400], first: [0, 400], last: [800, 400] }],
    ['a page near the beginning', 1_000, 50, 950, { prev: [0, 50], first: [0, 950], last: [950, 950] }],
    ['a page that holds everything', 10, 0, 500, {}],
    ['an empty list', 0, 0, 500, {}],
    ['a page beyond the end', 1_000, 5_000, 400, { prev: [600, 400], first: [0, 400], last: [800, 400] }],
    ['a multiple of the limit', 1_000, 0, 500, { next: [500, 500], first: [0, 500], last: [500, 500] }],
  ])('of %s', (_, total, offset, limit, expected) => {
    expect(linksOf(total, offset, limit)).toEqual(expected);
  });

  it('go on where a page that was cut short ended, and back to rows that fit', () => {
    const links = pageLinks(1_000, { start: 400, end: 700 }, 500, 300);
    expect(links).toContainEqual({ rel: 'next', offset: 700, limit: 500 });
    expect(links).toContainEqual({ rel: 'prev', offset: 100, limit: 300 });
  });

  it('lead through every row exactly once, forwards and backwards, whatever fits', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 80 });
    const small = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(sizes, small, fc.integer({ min: 9, max: 40 }), (bytes, limit, max) => {
        const total = bytes.length;
        const rowsFrom = (from: number, step: number, most: number) => {
          let left = max;
          let rows = 0;
          while (rows < most) {
            left -= bytes[from + step * rows] ?? 0;
            if (left < 0) break;
            rows += 1;
          }
          return rows;
        };
        const follow = (rel: 'next' | 'prev', first: number) => {
          const seen: number[] = [];
          let at: { offset: number; limit: number } | undefined = { offset: first, limit };
          for (let pages = 0; at && pages <= total; pages += 1) {
            const { start, end } = cutPage(total, at.offset, at.limit);
            const page = { start, end: start + rowsFrom(start, 1, end - start) };
            for (let n = page.start; n < page.end; n += 1) seen.push(n);
            const before = rowsFrom(start - 1, -1, Math.min(at.limit, start));
            at = pageLinks(total, page, at.limit, before).find((link) => link.rel === rel);
          }
          return seen.sort((a, b) => a - b);
        };
        const all = bytes.map((_, n) => n);
        expect(follow('next', 0)).toEqual(all);
        expect(follow('prev', total)).toEqual(all);
      }),
    );
  });
});

describe('the size of a response', () => {
  it('is that of the body as a JSON text', () => {
    expect(encodedBytes('a"é\n')).toBe(2 + 1 + 2 + 2 + 2);
  });

  it('fits to the byte', () => {
    const quotes = '"'.repeat(MAX_RESPONSE_BYTES / 2 - 1);
    expect(fitsResponse(quotes)).toBe(true);
    expect(fitsResponse(`${quotes}a`)).toBe(false);
    expect(fitsResponse('a'.repeat(1_000))).toBe(true);
  });

  it('holds as many rows as fit to the byte, separators and frame included, and one row at least', () => {
    const third = MAX_RESPONSE_BYTES / 3;
    // Each row has its quotes and the separator: three bytes.
    const rows = ['a', 'b', 'c'].map((letter) => letter.repeat(third - 3));
    expect(fittingRows(rows)).toHaveLength(2);
    const [first = '', second = '', last = ''] = rows;
    // The frame alone has two bytes of quotes.
    expect(fittingRows([first, second, last.slice(2)])).toHaveLength(3);
    expect(fittingRows([first, second, last.slice(2)], 'x')).toHaveLength(2);
    expect(fittingRows([first, second, last.slice(3)], 'x')).toHaveLength(3);
    expect(fittingRows(['a'.repeat(MAX_RESPONSE_BYTES), 'b'])).toHaveLength(1);
    expect(fittingRows([])).toEqual([]);
  });
});
