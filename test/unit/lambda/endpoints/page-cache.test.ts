import { expect, it } from '@jest/globals';
import { NO_BOUND } from '../../../../lambda/domain/paging.ts';
import { type MadePage, PageCache } from '../../../../lambda/endpoints/page-cache.ts';

const page = (body: string): MadePage => ({
  body,
  tag: body,
  total: 1,
  page: { start: 0, end: 1 },
  room: NO_BOUND,
});

it('a page is made once for each query of each snapshot', () => {
  const cache = new PageCache<object>();
  const [one, other] = [{}, {}];
  const made: string[] = [];
  const get = (snapshot: object, query: string) =>
    cache.get(snapshot, query, () => {
      made.push(query);
      return page(`${made.length}`);
    }).body;
  expect([get(one, 'a'), get(one, 'a'), get(one, 'b'), get(other, 'a'), get(one, 'b')]).toEqual([
    '1',
    '1',
    '2',
    '3',
    '2',
  ]);
});

it('a query that fails is asked anew', () => {
  const cache = new PageCache<object>();
  const snapshot = {};
  expect(() =>
    cache.get(snapshot, 'a', () => {
      throw new Error('refused');
    }),
  ).toThrow('refused');
  expect(cache.get(snapshot, 'a', () => page('well')).body).toBe('well');
});

it('what is too large to be held is made for each request, and does not push out the rest', () => {
  const cache = new PageCache<object>();
  const snapshot = {};
  let made = 0;
  const make = (length: number) => () => {
    made += 1;
    return page('x'.repeat(length));
  };
  for (const length of [10, 4_000_001, 4_000_001, 10]) cache.get(snapshot, `${length}`, make(length));
  expect(made).toBe(3);
});
