import { describe, expect, it } from '@jest/globals';
import { createSearchIndex } from '../../../../lambda/search/search-index.ts';
import { market, questions } from './search-markets.ts';

describe('category search', () => {
  const index = createSearchIndex([
    market('Will Trump win the 2028 election?'),
    market('Will Bitcoin reach $150,000?'),
    market('Will Trump hold a rally?', { tags: ['elections'] }),
    market('Will it rain?', { tags: ['weather'] }),
    market('Will Solana reach $150?', { tags: ['crypto'] }),
    market('Will Ethereum fall before the midterms?'),
    market('A crypto question on Trump?'),
  ]);

  it('gives the whole category by volume for its keyword alone', () => {
    expect(index.search('crypto', 20).positions).toEqual([1, 4, 5, 6]);
    expect(index.search('the ELECTIONS?', 20).positions).toEqual([0, 2, 5]);
  });

  it('ranks by the other words and keeps the rest of the category', () => {
    expect(index.search('crypto solana', 20).positions).toEqual([4, 1, 5, 6]);
    expect(index.search('btc 150k cryptocurrency', 20).positions).toEqual([1, 4, 5, 6]);
    expect(index.search('crypto solanna', 20).positions).toEqual([4, 1, 5, 6]);
    expect(index.search('crypto zebra', 20).positions).toEqual([1, 4, 5, 6]);
  });

  it('gives the union of several categories, those in most of them first', () => {
    expect(index.search('crypto election', 20).positions).toEqual([5, 0, 1, 2, 4, 6]);
    expect(index.search('crypto election solana', 20).positions).toEqual([4, 5, 0, 1, 2, 6]);
  });

  it('among equal matches prefers the market that says the keyword', () => {
    const races = questions(
      'Will X win the 2028 presidential nomination?',
      'Will X win the 2028 presidential election?',
    );
    expect(createSearchIndex(races).search('presidential election 2028', 20).positions).toEqual([1, 0]);
  });

  it('searches the text when the category is empty', () => {
    const plain = questions('Will it rain?', 'Will the technical committee meet?');
    expect(createSearchIndex(plain).search('tech', 20).positions).toEqual([1]);
    expect(createSearchIndex(plain).search('tech rain', 20).positions).toEqual([0, 1]);
  });
});
