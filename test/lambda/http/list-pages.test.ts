import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_RESPONSE_BYTES } from '../../../lambda/core/contract/constants.ts';
import { fittingRows, listPage } from '../../../lambda/http/list-pages.ts';
import { loadedSnapshot } from '../../support/markets.ts';

describe('the links of a list', () => {
  type Links = Readonly<Record<string, readonly [offset: number, limit: number]>>;
  const pageAt = (items: readonly number[], offset: number, limit: number) => {
    const request = { path: '/', sent: {}, parameters: { limit, offset } };
    const { rows, headers } = listPage(request, loadedSnapshot([]), items, String);
    const found = (headers.Link ?? '').matchAll(/limit=(\d+)&offset=(\d+)&[^>]+>; rel="(\w+)"/g);
    const links = Array.from(found, ([, size, from, rel = '']) => [
      rel,
      [Number(from), Number(size)],
    ]);
    return { rows: rows.map(Number), links: Object.fromEntries(links) as Links };
  };
  const numbers = (total: number) => Array.from({ length: total }, (_, n) => n);

  it('lead through all of it, forwards and back [sentences 3, 21]', () => {
    const sizes = fc.record({
      total: fc.nat(60),
      start: fc.nat(70),
      limit: fc.integer({ min: 1, max: 65 }),
    });
    fc.assert(
      fc.property(sizes, ({ total, start, limit }) => {
        const items = numbers(total);
        const walk = (from: Links, rel: 'next' | 'prev'): number[] => {
          const link = from[rel];
          if (!link) return [];
          const page = pageAt(items, ...link);
          const others = walk(page.links, rel);
          return rel === 'next' ? [...page.rows, ...others] : [...others, ...page.rows];
        };
        const { rows, links } = pageAt(items, start, limit);
        expect([...walk(links, 'prev'), ...rows, ...walk(links, 'next')]).toEqual(items);
      }),
    );
  });

  it.each<[number, number, number, Links]>([
    [50, 0, 20, { next: [20, 20], first: [0, 20], last: [40, 20] }],
    [50, 40, 20, { prev: [20, 20], first: [0, 20], last: [40, 20] }],
    [40, 5, 20, { next: [25, 20], prev: [0, 5], first: [0, 20], last: [20, 20] }],
    [41, 30, 20, { prev: [10, 20], first: [0, 20], last: [40, 20] }],
    [3, 9, 2, { prev: [1, 2], first: [0, 2], last: [2, 2] }],
    [20, 0, 20, {}],
    [0, 5, 20, {}],
  ])('of %i rows at %i, %i a page, are %j [sentence 21]', (total, offset, limit, links) => {
    expect(pageAt(numbers(total), offset, limit).links).toEqual(links);
  });
});

describe('a response that Lambda can send', () => {
  // Three rows that fill it. Each has quotes and a separator: three bytes.
  const row = 'a'.repeat(MAX_RESPONSE_BYTES / 3 - 3);

  it('has as many rows as fit with two bytes for the quotes of the frame', () => {
    expect(fittingRows([row, row, row.slice(2)])).toHaveLength(3);
    expect(fittingRows([row, row, row.slice(1)])).toHaveLength(2);
  });

  it('has as many rows as fit with the text of the frame', () => {
    expect(fittingRows([row, row, row.slice(3)], 'x')).toHaveLength(3);
    expect(fittingRows([row, row, row.slice(2)], 'x')).toHaveLength(2);
  });

  it('has one row at least', () => {
    expect(fittingRows(['a'.repeat(MAX_RESPONSE_BYTES), 'b'])).toHaveLength(1);
  });
});
