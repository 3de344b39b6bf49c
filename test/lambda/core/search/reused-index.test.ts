// `SearchIndex`, the full-text search over markets, is used again for each new list of markets. It
// keeps the terms of texts that did not change, and finds the same as a new index. Each test
// searches one list, another list, and the first list again.

import { describe, expect, it } from '@jest/globals';
import { type SearchableMarket, SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { market } from './made-up-markets.ts';

const QUESTIONS = [
  'Bitcoin 1?',
  'Bitcoin and Ethereum?',
  'Rain?',
  'Ethereum?',
  'Moonbase?',
  'Moon?',
];
const QUERIES = [
  'bitcoin',
  'ethereum',
  'crypto',
  'rain ethereum',
  'bitcoin 1',
  'tech',
  'moon base',
];
const MARKETS = QUESTIONS.map((question, n) => market(question, { id: `0x${n}` }));

/** The same list, with other fields of its third market, "Rain?". */
const withChangedRain = (change: Partial<SearchableMarket>) =>
  MARKETS.with(2, { ...market('Rain?', { id: '0x2' }), ...change });

/** The ids that the index finds in a list, for each of the queries. */
function idsFound(index: SearchIndex, list: readonly SearchableMarket[]) {
  return QUERIES.map((query) => {
    const { positions } = index.search(list, query);
    return { query, ids: positions.map((position) => list[position]?.id) };
  });
}

describe('an index that was used before', () => {
  it.each<[difference: string, other: readonly SearchableMarket[]]>([
    ['a shorter list', MARKETS.slice(0, 2)],
    ['a longer list', [...MARKETS, market('Bitcoin again?'), market('Moonbase again?')]],
    ['another order of volume', MARKETS.toReversed()],
    ['another question', withChangedRain({ question: 'Tech' })],
    ['another slug', withChangedRain({ slug: 'tech' })],
    ['another eventTitle', withChangedRain({ eventTitle: 'Tech' })],
    ['another groupItemTitle', withChangedRain({ groupItemTitle: 'Tech' })],
    ['another category', withChangedRain({ categories: ['tech'] })],
  ])('finds the same as a new one after %s', (_difference, other) => {
    const used = new SearchIndex();
    for (const list of [MARKETS, other, MARKETS]) {
      expect(idsFound(used, list)).toEqual(idsFound(new SearchIndex(), list));
    }
  });
});
