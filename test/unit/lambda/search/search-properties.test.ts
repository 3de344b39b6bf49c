import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSearchIndex, type SearchableMarket } from '../../../../lambda/search/search-index.ts';
import { differingLetters, letterSet, slips } from '../../../../lambda/search/spelling.ts';
import { fold, queryWords, stripQuery } from '../../../../lambda/search/terms.ts';
import { bestFirst } from '../../../../lambda/search/top-k.ts';

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
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' ')),
);
const anyMarket: fc.Arbitrary<SearchableMarket> = fc.record({
  question: text,
  slug: fc.option(text, { nil: undefined }),
  eventTitle: fc.option(text, { nil: undefined }),
  tags: fc.array(fc.constantFrom('crypto', 'nba', 'weather', 'ELECTIONS', ''), { maxLength: 3 }),
  volume: fc.double({ min: 0, noNaN: true }),
});
const word = fc.string({ unit: fc.constantFrom(...'abcdeé'), maxLength: 9 });

describe('search, whatever is typed over whatever is listed', () => {
  it('never throws, never repeats, never exceeds the limit, and answers with positions of the list', () => {
    fc.assert(
      fc.property(
        fc.array(anyMarket, { maxLength: 30 }),
        text,
        fc.integer({ min: -1, max: 60 }),
        (markets, query, limit) => {
          const results = createSearchIndex(markets).search(query, limit);
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

  it('gives for a smaller limit the beginning of what it gives for a larger one', () => {
    fc.assert(
      fc.property(
        fc.array(anyMarket, { maxLength: 30 }),
        text,
        fc.integer({ min: 1, max: 20 }),
        (markets, query, limit) => {
          const index = createSearchIndex(markets);
          expect(index.search(query, limit)).toEqual(index.search(query, 50).slice(0, limit));
        },
      ),
    );
  });

  it('finds first a market whose whole question is typed, if it holds any word', () => {
    fc.assert(
      fc.property(fc.array(anyMarket, { minLength: 1, maxLength: 20 }), fc.nat(), (markets, pick) => {
        const chosen = markets[pick % markets.length]?.question ?? '';
        const typed = queryWords(chosen);
        fc.pre(typed.length > 0 && typed.length <= 60);
        const [first] = createSearchIndex(markets).search(chosen, 1);
        expect(queryWords(markets[first ?? -1]?.question ?? '')).toEqual(typed);
      }),
    );
  });

  it('does not mind case, accents or the ignored characters', () => {
    fc.assert(
      fc.property(fc.array(anyMarket, { maxLength: 20 }), fc.constantFrom(...WORDS), (markets, query) => {
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

  it('bestFirst is a stable sort by score, cut at the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 })),
        fc.integer({ min: 1, max: 20 }),
        (scores, limit) => {
          const score = (position: number): number => scores[position] ?? 0;
          const sorted = [...scores.keys()].sort((a, b) => score(b) - score(a) || a - b);
          expect(bestFirst(scores.keys(), score, limit)).toEqual(sorted.slice(0, limit));
        },
      ),
    );
  });

  it('slips is symmetric, zero only for equal words, and does not depend on the limit below it', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = slips(a, b, 20);
        expect(slips(b, a, 20)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        for (const limit of [1, 2]) expect(slips(a, b, limit)).toBe(Math.min(distance, limit + 1));
      }),
      { numRuns: 1_000 },
    );
  });

  it('the letter sets of words within a few slips differ in at most twice as many letters', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(differingLetters(letterSet(a), letterSet(b))).toBeLessThanOrEqual(2 * slips(a, b, 20));
      }),
      { numRuns: 1_000 },
    );
  });
});
