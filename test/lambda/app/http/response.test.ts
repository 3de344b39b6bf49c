import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conditional, encodedBytes, fitsResponse } from '../../../../lambda/app/http/response.ts';
import { fittingRows, listSlice } from '../../../../lambda/app/http/snapshot-response.ts';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import { loadedSnapshot } from '../../../support/markets.ts';

const HTTP_DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
const HEADERS = { 'Cache-Control': 'no-cache' };

describe('a conditional response', () => {
  it('has an ETag of 132 bits that equal bodies share, and no date if none is known', () => {
    const [a, again, b] = ['a', 'a', 'b'].map((body) => conditional({}, body, HEADERS));
    expect(a?.headers).toEqual({ ...HEADERS, ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/) });
    expect(again).toEqual(a);
    expect(b?.headers.ETag).not.toBe(a?.headers.ETag);
  });

  it.each<[number, string, Record<string, string>]>([
    [304, 'the weak tag', { 'if-none-match': 'W/"abc"' }],
    [304, 'the tag as a strong one', { 'if-none-match': '"abc"' }],
    [304, 'any tag', { 'if-none-match': '*' }],
    [304, 'a list with the tag', { 'if-none-match': 'W/"x" ,"abc", W/"y"' }],
    [304, 'the date', { 'if-modified-since': HTTP_DATE }],
    [200, 'neither', {}],
    [200, 'a longer tag', { 'if-none-match': 'W/"abcd"' }],
    [200, 'the tag without quotes', { 'if-none-match': 'abc' }],
    [200, 'another tag and the date', { 'if-none-match': 'W/"x"', 'if-modified-since': HTTP_DATE }],
    [200, 'an earlier date', { 'if-modified-since': 'Sat, 21 Nov 2026 11:59:59 GMT' }],
    [200, 'a later date', { 'if-modified-since': 'Sat, 21 Nov 2026 12:00:01 GMT' }],
  ])('is a %i to a caller with %s', (status, _name, requestHeaders) => {
    const version = { etag: 'abc', lastModified: Date.parse(HTTP_DATE) + 456 };
    const headers = { ...HEADERS, ETag: 'W/"abc"', 'Last-Modified': HTTP_DATE };
    const body = status === 200 ? '[]' : '';
    expect(conditional(requestHeaders, '[]', HEADERS, version)).toEqual({ status, body, headers });
  });
});

describe('the links of a list', () => {
  type Links = Readonly<Record<string, readonly [offset: number, limit: number]>>;
  const sliceAt = (items: readonly number[], offset: number, limit: number) => {
    const request = { path: '/', sent: {}, parameters: { limit, offset } };
    const { rows, headers } = listSlice(request, loadedSnapshot([]), items, String);
    const found = (headers.Link ?? '').matchAll(/limit=(\d+)&offset=(\d+)&[^>]+>; rel="(\w+)"/g);
    const links = Array.from(found, ([, size, from, rel = '']) => [rel, [Number(from), Number(size)]]);
    return { rows: rows.map(Number), links: Object.fromEntries(links) as Links };
  };
  const numbers = (total: number) => Array.from({ length: total }, (_, n) => n);

  it('lead through all of it, forwards and back', () => {
    const sizes = fc.record({ total: fc.nat(60), start: fc.nat(70), limit: fc.integer({ min: 1, max: 65 }) });
    fc.assert(
      fc.property(sizes, ({ total, start, limit }) => {
        const items = numbers(total);
        const walk = (links: Links, rel: 'next' | 'prev'): number[] => {
          const link = links[rel];
          if (!link) return [];
          const slice = sliceAt(items, ...link);
          const others = walk(slice.links, rel);
          return rel === 'next' ? [...slice.rows, ...others] : [...others, ...slice.rows];
        };
        const { rows, links } = sliceAt(items, start, limit);
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
  ])('of %i rows at %i, %i a page, are %j', (total, offset, limit, links) => {
    expect(sliceAt(numbers(total), offset, limit).links).toEqual(links);
  });
});

it('a body fits to the byte as a JSON text', () => {
  expect(encodedBytes('a"é\n')).toBe(2 + 1 + 2 + 2 + 2);
  // Lambda's limit without 64 KB for the headers.
  expect(MAX_RESPONSE_BYTES).toBeLessThanOrEqual(6 * 1_024 * 1_024 - 65_536);
  const quotes = '"'.repeat(MAX_RESPONSE_BYTES / 2 - 1);
  expect([quotes, `${quotes}a`, 'a'.repeat(1_000)].map(fitsResponse)).toEqual([true, false, true]);
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
});
