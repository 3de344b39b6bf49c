import { describe, expect, it } from '@jest/globals';
import { CATEGORIES } from '../../../../lambda/search/categories.ts';
import { selectedCategories } from '../../../../lambda/search/category-members.ts';
import { createSearchIndex } from '../../../../lambda/search/search-index.ts';
import { queryWords } from '../../../../lambda/search/terms.ts';
import { market } from './search-markets.ts';

const names = (query: string): string[] => [...selectedCategories(queryWords(query))].map(({ name }) => name);

const KEYWORDS = CATEGORIES.flatMap(({ name, keywords }) => keywords.map((keyword) => ({ name, keyword })));
const TAGS = CATEGORIES.flatMap(({ name, keywords, tags }) =>
  tags.map((tag) => ({ name, keyword: keywords[0] ?? '', tag })),
);
const QUESTION_WORDS = CATEGORIES.flatMap(({ name, keywords, questionWords }) =>
  [...keywords, ...questionWords].map((word) => ({ name, keyword: keywords[0] ?? '', word })),
);

describe('categories', () => {
  it('are the five of the specification', () => {
    expect(CATEGORIES.map(({ name }) => name)).toEqual(['election', 'crypto', 'sports', 'economics', 'tech']);
  });

  it.each(KEYWORDS)('"$keyword" selects $name, in any case and beside other words', ({ name, keyword }) => {
    expect(names(keyword)).toEqual([name]);
    expect(names(`who wins: ${keyword.toUpperCase()}!`)).toEqual([name]);
  });

  it.each(TAGS)('the tag $tag makes a market $name', ({ keyword, tag }) => {
    const index = createSearchIndex([
      market('Will it rain?'),
      market('Will it snow?', { tags: ['all', tag] }),
    ]);
    expect(index.search(keyword, 20)).toEqual([1]);
  });

  it.each(QUESTION_WORDS)('"$word" in the question makes a market $name', ({ keyword, word }) => {
    const index = createSearchIndex([
      market('Will it rain?'),
      market(`Will ${word.toUpperCase()} be in the news?`),
    ]);
    expect(index.search(keyword, 20)).toEqual([1]);
  });

  it.each([
    'technical',
    'sportsbook',
    'selection',
    'cryptography',
    'economist',
    'techno',
    'transport',
    'reelections',
    'fintech',
  ])('"%s" selects no category', (word) => {
    expect(names(word)).toEqual([]);
  });

  it.each([
    ['tech', 'Technical knockout in round 1?'],
    ['crypto', 'Will cryptography be banned?'],
    ['sports', 'Will a sportsbook be fined?'],
    ['election', 'Will the selection committee meet?'],
    ['crypto', 'Will betheth win?'],
    ['economics', 'Will FedEx split?'],
  ])('in "%s" whole words count: not "%s"', (query, question) => {
    const index = createSearchIndex([market('Will it rain?', { tags: [query] }), market(question)]);
    expect(index.search(query, 20)).not.toContain(1);
  });

  it('compares tags in any case', () => {
    expect(createSearchIndex([market('Will it rain?', { tags: ['NBA'] })]).search('sports', 20)).toEqual([0]);
  });

  it('does not take a word of the event title or slug for one of the question', () => {
    const index = createSearchIndex([
      market('Will it rain?', { eventTitle: 'Bitcoin weather', slug: 'bitcoin-rain' }),
      market('Bitcoin to the moon?'),
    ]);
    expect(index.search('crypto', 20)).toEqual([1]);
  });
});
