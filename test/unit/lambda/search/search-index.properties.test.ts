import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSearchIndex, type SearchableMarket } from '../../../../lambda/search/search-index.ts';
import { differingLetters, editDistance, letterSet } from '../../../../lambda/search/spelling.ts';
import { fold, queryTerms, stripQuery } from '../../../../lambda/search/terms.ts';
import { topK } from '../../../../lambda/search/top-k.ts';
import { anyText } from '../../../support/any-text.ts';

const WORDS = [
  'Trump',
  'bitcoin',
  'election',
  'tech',
  'Curaçao',
  '$150,000',
  '150k',
  'gta',
  'VI',
  'ukraine',
  '比特币',
  'the',
  '&',
  'O’Rourke',
];
const text = fc.oneof(
  anyText(60),
  fc.string({ unit: fc.constantFrom('a', 'ß', 'e\u0301', 'か', 'ﬁ', '🇺🇸', '👩‍👩‍👧'), maxLength: 40 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' ')),
);
const anyTexts = fc.record({
  question: text,
  slug: fc.option(text, { nil: undefined }),
  eventTitle: fc.option(text, { nil: undefined }),
  tags: fc.array(fc.constantFrom('crypto', 'nba', 'weather', 'ELECTIONS', ''), { maxLength: 3 }),
});
const marketsOf = (constraints: fc.ArrayConstraints): fc.Arbitrary<SearchableMarket[]> =>
  fc
    .array(anyTexts, constraints)
    .map((all) => all.map((texts, position) => ({ ...texts, id: String(position) })));
const word = fc.string({ unit: fc.constantFrom(...'abcdeé'), maxLength: 9 });

describe('search, whatever is typed over whatever is listed', () => {
  it('never throws, never repeats, never exceeds the limit, and responses with positions of the list', () => {
    fc.assert(
      fc.property(
        marketsOf({ maxLength: 30 }),
        text,
        fc.integer({ min: -1, max: 60 }),
        (markets, query, limit) => {
          const results = createSearchIndex(markets).search(query, limit).positions;
          expect(results.length).toBeLessThanOrEqual(Math.max(0, limit));
          expect(new Set(results).size).toBe(results.length);
          expect(
            results.every(
              (position) => Number.isInteger(position) && position >= 0 && position < markets.length,
            ),
          ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives for a limit the beginning of what it gives without one, and the same total', () => {
    fc.assert(
      fc.property(
        marketsOf({ maxLength: 30 }),
        text,
        fc.integer({ min: 1, max: 20 }),
        (markets, query, limit) => {
          const index = createSearchIndex(markets);
          const all = index.search(query);
          expect(all.total).toBe(all.positions.length);
          expect(index.search(query, limit)).toEqual({ ...all, positions: all.positions.slice(0, limit) });
        },
      ),
    );
  });

  it('finds first a market whose whole question is typed, if it holds any word', () => {
    fc.assert(
      fc.property(marketsOf({ minLength: 1, maxLength: 20 }), fc.nat(), (markets, pick) => {
        const chosen = markets[pick % markets.length]?.question ?? '';
        const typed = queryTerms(chosen);
        fc.pre(typed.length > 0 && typed.length <= 60);
        const [first] = createSearchIndex(markets).search(chosen, 1).positions;
        expect(queryTerms(markets[first ?? -1]?.question ?? '')).toEqual(typed);
      }),
    );
  });

  it('does not mind case, accents or the ignored characters', () => {
    fc.assert(
      fc.property(marketsOf({ maxLength: 20 }), fc.constantFrom(...WORDS), (markets, query) => {
        const index = createSearchIndex(markets);
        const results = index.search(query, 50);
        expect(index.search(fold(query).toUpperCase(), 50)).toEqual(results);
        expect(index.search(`?${query}#%`, 50)).toEqual(results);
      }),
    );
  });
});

describe('the parts', () => {
  it('stripping is idempotent and leaves none of the ignored characters', () => {
    fc.assert(
      fc.property(text, (query) => {
        expect(stripQuery(query)).not.toMatch(/[&=?#%]/);
        expect(stripQuery(stripQuery(query))).toBe(stripQuery(query));
      }),
    );
  });

  it('topK is a stable sort by score, cut at the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 })),
        fc.integer({ min: 1, max: 20 }),
        (scores, limit) => {
          const score = (position: number): number => scores[position] ?? 0;
          const sorted = [...scores.keys()].sort((a, b) => score(b) - score(a) || a - b);
          expect(topK(scores.keys(), score, limit)).toEqual(sorted.slice(0, limit));
        },
      ),
    );
  });

  it('editDistance is symmetric, zero only for equal words, and does not depend on the limit below it', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b, 20);
        expect(editDistance(b, a, 20)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        for (const limit of [1, 2]) expect(editDistance(a, b, limit)).toBe(Math.min(distance, limit + 1));
      }),
      { numRuns: 1_000 },
    );
  });

  it('the letter sets of words within a few edits differ in at most twice as many letters', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(differingLetters(letterSet(a), letterSet(b))).toBeLessThanOrEqual(2 * editDistance(a, b, 20));
      }),
      { numRuns: 1_000 },
    );
  });
});
