import { expect, it } from '@jest/globals';
import { crawl } from '../../../../lambda/refresh/crawl.ts';
import type { CataloguePage } from '../../../../lambda/refresh/ports.ts';
import { RunReport } from '../../../../lambda/refresh/run-report.ts';
import { SeenMarkets } from '../../../../lambda/refresh/seen-markets.ts';
import { catalogueMarket, UNPRICED } from '../../../support/catalogue-market.ts';
import { listable } from './fake-upstreams.ts';

const DEADLINE = 5_000;
const MANY = 100;

/** Pages by number; the calls that a crawl makes, and the markets that it yields. */
async function crawled(pages: readonly CataloguePage[], maxMarkets = MANY) {
  const calls: [string | undefined, number][] = [];
  const page = async (cursor: string | undefined, deadline: number) => {
    const found = pages[calls.push([cursor, deadline]) - 1];
    if (!found) throw new Error('The crawl did not end');
    return found;
  };
  const yielded: number[][] = [];
  const seenMarkets = new SeenMarkets(new RunReport());
  for await (const markets of crawl({ page, find: async () => [] }, maxMarkets, DEADLINE, seenMarkets)) {
    yielded.push(markets.map(({ id }) => Number(id)));
  }
  return { calls, yielded };
}

const pageOf = (numbers: readonly number[], nextCursor?: string): CataloguePage => ({
  records: numbers.map((n) => listable(catalogueMarket(n))),
  ...(nextCursor === undefined ? {} : { nextCursor }),
});

const unpricedPage = (numbers: readonly number[], nextCursor: string): CataloguePage => ({
  records: numbers.map((n) => listable(catalogueMarket(n, UNPRICED))),
  nextCursor,
});

it('follows the cursors to the last page, each call before the deadline', async () => {
  const { calls, yielded } = await crawled([pageOf([1, 2], 'a'), pageOf([3], 'b'), pageOf([2, 4])]);
  expect(calls).toEqual([
    [undefined, DEADLINE],
    ['a', DEADLINE],
    ['b', DEADLINE],
  ]);
  expect(yielded).toEqual([[1, 2], [3], [4]]);
});

it.each([
  [
    'at the most markets that are wanted',
    [pageOf([1, 2], 'a'), pageOf([3, 4, 5], 'b')],
    4,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'at twice as many that tell no price',
    [unpricedPage([1, 2], 'a'), unpricedPage([3, 4], 'b'), unpricedPage([5, 6], 'c')],
    2,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['with the page that completes them', [pageOf([1, 2], 'a')], 2, [[1, 2]]],
  ['where a page only repeats', [pageOf([1, 2], 'a'), pageOf([2, 1], 'b')], MANY, [[1, 2], []]],
  [
    'where a cursor comes again',
    [pageOf([1], 'a'), pageOf([2], 'b'), pageOf([3], 'a')],
    MANY,
    [[1], [2], [3]],
  ],
] as const)('ends %s', async (_, pages, maxMarkets, expected) => {
  expect((await crawled(pages, maxMarkets)).yielded).toEqual(expected);
});
