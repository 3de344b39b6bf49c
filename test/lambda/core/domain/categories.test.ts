// The rules that put a market into categories such as "crypto", by its tags and its question.
// Keywords and question words both put a market into a category. In a query, only keywords select a
// category: "bitcoin" is a question word, "crypto" a keyword.

import { describe, expect, it } from '@jest/globals';
import { CATEGORY_NAMES } from '../../../../lambda/core/contract/constants.ts';
import {
  CATEGORY_RULES,
  categoriesOf,
  isCategoryKeyword,
  selectedCategories,
} from '../../../../lambda/core/domain/categories.ts';
import { termsOf } from '../../../../lambda/core/domain/terms.ts';

const selectedBy = (query: string) => selectedCategories(termsOf(query));

describe('the categories of a market', () => {
  it('follow from each tag and each word of CATEGORY_RULES', () => {
    for (const name of CATEGORY_NAMES) {
      const { tags, keywords, questionWords } = CATEGORY_RULES[name];
      for (const tag of tags) {
        expect(categoriesOf('Will it rain?', ['other-tag', tag])).toContain(name);
      }
      for (const words of [...keywords, ...questionWords]) {
        expect(categoriesOf(`Will ${words.toUpperCase()} be in the news?`, [])).toContain(name);
      }
    }
  });

  it.each([
    ['a tag alone', 'Will it rain?', ['NBA'], ['sports']],
    ['question words and a tag', 'Fed and Bitcoin?', ['sports'], ['crypto', 'sports', 'economics']],
    [
      'several words',
      'Will the Fed cut interest rates if Bitcoin falls?',
      [],
      ['crypto', 'economics'],
    ],
    ['a phrase', 'Will the Cubs win the 2026 World Series?', [], ['sports']],
    ['the words of a phrase apart', 'Will a new world be in the series?', [], []],
    ['only parts of words', 'Will a sportsbook be fined by the selection committee?', [], []],
    // "tech" and "apple" belong to a category, but not in these names.
    ['the name of a team', 'Will Texas Tech beat Houston?', [], []],
    ['a name and a word', 'Will Texas Tech buy a tech company?', [], ['tech']],
    ['the name of a place', 'Will Apple Valley elect a dog?', [], []],
  ])('with %s: %j with the tags %j has %j', (_case, question, tags, categories) => {
    expect(categoriesOf(question, tags)).toEqual(categories);
  });
});

describe('the categories that a query selects', () => {
  it('follow from each keyword, in any case and beside other words', () => {
    for (const name of CATEGORY_NAMES) {
      for (const keyword of CATEGORY_RULES[name].keywords) {
        expect(selectedBy(`who wins: ${keyword.toUpperCase()}!`)).toEqual([name]);
      }
    }
  });

  it.each([
    ['crypto election 2028 crypto', ['crypto', 'election']],
    ['technical sportsbook selection cryptography economist reelections fintech', []],
    ['bitcoin nba', []],
    ['texas tech', []],
    ['texas tech technology', ['tech']],
  ])('%j selects %j', (query, names) => {
    expect(selectedBy(query)).toEqual(names);
  });

  it('have keywords, which are whole words and no question words', () => {
    expect(isCategoryKeyword('crypto')).toBe(true);
    expect(isCategoryKeyword('cryptography')).toBe(false);
    expect(isCategoryKeyword('bitcoin')).toBe(false);
  });
});
