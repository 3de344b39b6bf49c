import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSearchIndex, type SearchableMarket } from '../../../../lambda/search/search-index.ts';
import { market, questions } from './search-markets.ts';

describe('the index of a newer list', () => {
  const before = questions('Bitcoin up?', 'Rain in Oslo?', 'Snow in Oslo?');
  const [bitcoin, rain, snow] = before as [SearchableMarket, SearchableMarket, SearchableMarket];

  it('knows new markets, forgets those that are gone, and follows the new order', () => {
    const index = createSearchIndex(before).update([snow, market('Zebras in Oslo?'), rain]);
    expect(index.search('oslo').positions).toEqual([0, 1, 2]);
    expect(index.search('snow').positions).toEqual([0]);
    expect(index.search('zebra').positions).toEqual([1]);
    expect(index.search('bitcoin')).toEqual({ positions: [], total: 0, match: 'all' });
  });

  it('follows new texts and tags of a market', () => {
    const index = createSearchIndex(before).update([bitcoin, { ...rain, question: 'Hail?', tags: ['nba'] }]);
    expect(index.search('rain').positions).toEqual([]);
    expect(index.search('hail').positions).toEqual([1]);
    expect(index.membersOf('sports')).toEqual([1]);
  });

  it('leaves the older index as it was', () => {
    const older = createSearchIndex(before);
    older.update([market('Oslo: any bitcoin snowball?'), rain]);
    expect(older.search('oslo').positions).toEqual([1, 2]);
    expect(older.search('snow').positions).toEqual([2]);
    expect(older.search('bitcoin').positions).toEqual([0]);
    expect(older.membersOf('crypto')).toEqual([0]);
  });

  it('finds a market again that comes back', () => {
    const index = createSearchIndex(before).update([rain, snow]).update(before);
    expect(index.search('bitcoin').positions).toEqual([0]);
  });

  const TEXTS = ['Bitcoin up?', 'Rain in Oslo?', 'Snow or rain?', 'Fed cuts rates?', 'Trump out in Oslo?'];
  const list = fc
    .uniqueArray(fc.record({ id: fc.nat(12).map(String), question: fc.constantFrom(...TEXTS) }), {
      selector: ({ id }) => id,
      maxLength: 12,
    })
    .map((all) => all.map((texts): SearchableMarket => ({ ...texts, tags: [] })));

  it('finds, after any number of updates, the same markets as an index built anew', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 8 }), (lists) => {
        const [first = [], ...rest] = lists;
        let updated = createSearchIndex(first);
        for (const next of rest) updated = updated.update(next);
        const anew = createSearchIndex(lists.at(-1) ?? []);
        for (const query of ['bitcoin', 'rain', 'oslo', 'rain oslo', 'trump snow', 'crypto', 'fed rate']) {
          const sets = [updated, anew].map((index) => [...index.search(query).positions].sort());
          expect(sets[0]).toEqual(sets[1]);
        }
      }),
    );
  });
});
