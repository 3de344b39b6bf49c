import { describe, expect, it } from '@jest/globals';
import { fittingRows, listSlice } from '../../../../lambda/app/http/snapshot-response.ts';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import { loadedSnapshot } from '../../../support/markets.ts';

describe('the links of a page', () => {
  const snapshot = loadedSnapshot([]);
  const linksOf = (total: number, offset: number, limit: number) => {
    const request = { path: '/', sent: {}, parameters: { limit, offset } };
    const { headers } = listSlice(request, snapshot, Array.from({ length: total }), String);
    const links = (headers.Link ?? '').matchAll(/limit=(\d+)&offset=(\d+)&[^>]+>; rel="(\w+)"/g);
    return Object.fromEntries(Array.from(links, ([, size, from, rel]) => [rel, [Number(from), Number(size)]]));
  };

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
});

it('a response has as many rows as fit to the byte, separators and frame included, and one row at least', () => {
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
