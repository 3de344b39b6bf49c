import { describe, expect, it } from '@jest/globals';
import { type SearchableMarket, SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { market } from './made-up-markets.ts';

// The index keeps the terms of texts that stay the same from one list to the next. Here it searches
// a list, another list, and the first list again.
describe('an index that was used before', () => {
  const questions = [
    'Bitcoin 1?',
    'Bitcoin and Ethereum?',
    'Rain?',
    'Ethereum?',
    'Moonbase?',
    'Moon?',
  ];
  const markets = questions.map((question, n) => market(question, { id: `0x${n}` }));
  const queries = [
    'bitcoin',
    'ethereum',
    'crypto',
    'rain ethereum',
    'bitcoin 1',
    'tech',
    'moon base',
  ];
  const idsFound = (list: readonly SearchableMarket[], index: SearchIndex) =>
    queries.map((query) =>
      index.search(list, query).positions.map((position) => list[position]?.id),
    );

  const changed = (change: Partial<SearchableMarket>) =>
    markets.with(2, { ...market('Rain?', { id: '0x2' }), ...change });

  it.each<[string, readonly SearchableMarket[]]>([
    ['a shorter list', markets.slice(0, 2)],
    ['a longer list', [...markets, market('Bitcoin again?'), market('Moonbase again?')]],
    ['another order of volume', markets.toReversed()],
    ['another question', changed({ question: 'Tech' })],
    ['another slug', changed({ slug: 'tech' })],
    ['another eventTitle', changed({ eventTitle: 'Tech' })],
    ['another groupItemTitle', changed({ groupItemTitle: 'Tech' })],
    ['another category', changed({ categories: ['tech'] })],
  ])('finds the same as a new one after %s', (_, other) => {
    const used = new SearchIndex();
    const lists = [markets, other, markets];
    for (const list of lists)
      expect(idsFound(list, used)).toEqual(idsFound(list, new SearchIndex()));
  });
});
