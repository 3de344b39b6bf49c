import { describe, expect, it } from '@jest/globals';
import { createSearchIndex } from '../../../../lambda/search/search-index.ts';
import { MADE_UP_MARKETS, MADE_UP_QUERIES } from './made-up-markets.ts';

/** Recorded markets and many more queries: search-index.relevance.long.test.ts, where there are recordings. */
describe('search relevance on made up markets', () => {
  const index = createSearchIndex(MADE_UP_MARKETS);
  const slugsOf = (query: string) =>
    index.search(query, 20).positions.map((position) => MADE_UP_MARKETS[position]?.slug ?? '');

  it('puts a market that a person expects first: mean reciprocal rank at least 0.95', () => {
    const ranks = MADE_UP_QUERIES.map(([query, expected]) => ({
      query,
      rank: slugsOf(query).findIndex((slug) => expected.includes(slug)) + 1,
      first: slugsOf(query)[0],
    }));
    const mean = ranks.reduce((sum, { rank }) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length;
    const misses = ranks.filter(({ rank }) => rank !== 1).map((miss) => JSON.stringify(miss));
    console.log(
      [`mean reciprocal rank ${mean.toFixed(3)} of ${ranks.length} queries`, ...misses].join('\n  '),
    );
    expect(mean).toBeGreaterThanOrEqual(0.95);
  });

  it.each(['recession', 'recession 2030', 'penguin'])(
    'finds nothing for "%s", of which there is nothing',
    (query) => {
      expect(slugsOf(query)).toEqual([]);
    },
  );

  it('expects markets that there are', () => {
    const slugs = MADE_UP_MARKETS.map(({ slug }) => slug);
    const expected = MADE_UP_QUERIES.flatMap(([, wanted]) => wanted);
    expect(expected.filter((slug) => !slugs.includes(slug))).toEqual([]);
  });
});
