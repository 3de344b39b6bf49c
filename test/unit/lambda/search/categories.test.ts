import { describe, expect, it } from '@jest/globals';
import { CATEGORIES } from '../../../../lambda/search/categories.ts';
import {
  categoriesOfQuestion,
  namesIn,
  selectedCategories,
} from '../../../../lambda/search/category-members.ts';
import { queryTerms, textTerms } from '../../../../lambda/search/terms.ts';
import { found, market } from './search-markets.ts';

const names = (query: string): string[] => namesIn(selectedCategories(queryTerms(query)));

const KEYWORDS = CATEGORIES.flatMap(({ name, keywords }) => keywords.map((keyword) => ({ name, keyword })));
const TAGS = CATEGORIES.flatMap(({ name, keywords, tags }) =>
  tags.map((tag) => ({ name, keyword: keywords[0] ?? '', tag })),
);
const QUESTION_WORDS = CATEGORIES.flatMap(({ name, keywords, questionWords }) =>
  [...keywords, ...questionWords].map((word) => ({ name, keyword: keywords[0] ?? '', word })),
);

describe('categories', () => {
  it('are the five of design 1', () => {
    expect(CATEGORIES.map(({ name }) => name)).toEqual(['election', 'crypto', 'sports', 'economics', 'tech']);
  });

  it.each(KEYWORDS)('"$keyword" selects $name, in any case and beside other words', ({ name, keyword }) => {
    expect(names(keyword)).toEqual([name]);
    expect(names(`who wins: ${keyword.toUpperCase()}!`)).toEqual([name]);
  });

  it.each(TAGS)('the tag $tag makes a market $name', ({ keyword, tag }) => {
    const markets = [market('Will it rain?'), market('Will it snow?', { tags: ['all', tag] })];
    expect(found(markets, keyword)).toEqual([1]);
  });

  it.each(QUESTION_WORDS)('"$word" in the question makes a market $name', ({ keyword, word }) => {
    const markets = [market('Will it rain?'), market(`Will ${word.toUpperCase()} be in the news?`)];
    expect(found(markets, keyword)).toEqual([1]);
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
    const markets = [market('Will it rain?', { tags: [query] }), market(question)];
    expect(found(markets, query)).not.toContain(1);
  });

  it('compares tags in any case', () => {
    expect(found([market('Will it rain?', { tags: ['NBA'] })], 'sports')).toEqual([0]);
  });

  it('does not take a word of the event title or slug for one of the question', () => {
    const markets = [
      market('Will it rain?', { eventTitle: 'Bitcoin weather', slug: 'bitcoin-rain' }),
      market('Bitcoin to the moon?'),
    ];
    expect(found(markets, 'crypto')).toEqual([1]);
  });

  it.each([
    ['Will Texas Tech beat Houston?', []],
    ['Texas Tech Red Raiders vs. Georgia Tech: which tech stock wins?', ['tech']],
    ['Will a new world be in the series?', []],
    ['Will the series make a world record?', []],
    ['Will the Cubs win the 2026 World Series?', ['sports']],
    ['Will the interest be high as rates fall?', []],
    ['Will the Fed cut interest rates if Bitcoin falls?', ['crypto', 'economics']],
    ['Will Apple Valley elect a dog?', []],
  ])('%s: entries of several words stand together, and a name is no keyword', (question, categories) => {
    expect(namesIn(categoriesOfQuestion(textTerms(question)))).toEqual(categories);
  });

  it.each(['texas tech', 'will georgia tech win'])('"%s" asks for no technology', (query) => {
    expect(names(query)).toEqual([]);
    expect(names(`${query} tech`)).toEqual(['tech']);
  });
});
