import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutPage, pageLinks } from '../../../../lambda/domain/paging.ts';

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

  it('ends where the answer would grow too large', () => {
    expect(cutPage(1_000, 100, 500, () => 42)).toEqual({ start: 100, end: 142 });
  });
});

describe('pageLinks', () => {
  const offsets = (total: number, offset: number, limit: number) =>
    Object.fromEntries(
      pageLinks(total, cutPage(total, offset, limit), limit).map((link) => [link.rel, link.offset]),
    );

  it.each([
    ['the first page', 1_000, 0, 400, { first: 0, next: 400, last: 800 }],
    ['a page in the middle', 1_000, 400, 400, { first: 0, prev: 0, next: 800, last: 800 }],
    ['the last page', 1_000, 800, 400, { first: 0, prev: 400, last: 800 }],
    ['a page that holds everything', 10, 0, 500, { first: 0, last: 0 }],
    ['an empty list', 0, 0, 500, { first: 0, last: 0 }],
    ['a page beyond the end', 1_000, 5_000, 400, { first: 0, prev: 600, last: 800 }],
  ])('of %s', (_, total, offset, limit, expected) => {
    expect(offsets(total, offset, limit)).toEqual(expected);
  });

  it('goes on where a page that was cut short ended', () => {
    const links = pageLinks(
      1_000,
      cutPage(1_000, 0, 500, () => 300),
      500,
    );
    expect(links).toContainEqual({ rel: 'next', offset: 300 });
    expect(links).toContainEqual({ rel: 'last', offset: 900 });
  });

  it('leads through every market exactly once', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (total, limit, fits) => {
          const seen: number[] = [];
          let offset: number | undefined = 0;
          while (offset !== undefined) {
            const page = cutPage(total, offset, limit, () => fits);
            for (let n = page.start; n < page.end; n++) seen.push(n);
            offset = pageLinks(total, page, limit).find(({ rel }) => rel === 'next')?.offset;
          }
          expect(seen).toEqual(Array.from({ length: total }, (_, n) => n));
        },
      ),
    );
  });
});
