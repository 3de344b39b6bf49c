import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CATEGORIES } from '../../../../lambda/search/categories.ts';
import { termTableOf } from '../../../../lambda/search/make-term-table.ts';
import { createSearchIndex, type SearchableMarket } from '../../../../lambda/search/search-index.ts';
import { type IndexedTexts, postingsIn, TEXT_RULES } from '../../../../lambda/search/term-table.ts';
import { questions } from './search-markets.ts';

/** The texts of a base, for a list that has some of its markets: those that are equal. */
function indexedBy(base: readonly SearchableMarket[], list: readonly SearchableMarket[]): IndexedTexts {
  const documents = new Map(base.map((one, document) => [one, document]));
  return {
    table: termTableOf(base),
    documentAt: (position) => documents.get(list[position] as SearchableMarket),
    question: (document) => base[document]?.question ?? '',
  };
}

const QUERIES = [
  ...['bitcoin', 'rain', 'oslo', 'rain oslo', 'trump snow', 'crypto', 'fed rate', 'sno', 'bitconi'],
  ...['will it rain in oslo', 'superbowl', 'nothing of it'],
];

const TEXTS = [
  'Bitcoin up?',
  'Will it rain in Oslo?',
  'Snow or rain?',
  'Fed cuts rates?',
  'Super bowl in Oslo?',
];
const market = fc.record({
  id: fc.nat(12).map(String),
  question: fc.constantFrom(...TEXTS),
  slug: fc.constantFrom('rain-or-snow', 'fed-cuts', undefined),
  eventTitle: fc.constantFrom('Weather', 'Trump', undefined),
  tags: fc.constantFrom<string[]>([], ['crypto'], ['nba']),
});
const list = fc.uniqueArray(market, { selector: ({ id }) => id, maxLength: 12 });

describe('a table of terms', () => {
  it('finds what an index finds that has read all texts itself', () => {
    fc.assert(
      fc.property(list, (markets) => {
        const [own, stored] = [
          createSearchIndex(markets),
          createSearchIndex(markets, indexedBy(markets, markets)),
        ];
        for (const query of QUERIES) expect(stored.search(query)).toEqual(own.search(query));
      }),
    );
  });

  it('is followed by markets that came since, and by another table', () => {
    fc.assert(
      fc.property(list, list, list, (base, added, next) => {
        const ids = new Set(base.map(({ id }) => id));
        const mixed = [...base.slice(1), ...added.filter(({ id }) => !ids.has(id))];
        const indexed = indexedBy(base, mixed);
        const first = createSearchIndex(base, indexedBy(base, base)).update(mixed, indexed);
        const grown = first.update(mixed, indexed);
        const replaced = grown.update(next, indexedBy(next, next));
        for (const query of QUERIES) {
          const own = createSearchIndex(mixed).search(query).positions;
          expect([...grown.search(query).positions].sort()).toEqual([...own].sort());
          expect(replaced.search(query)).toEqual(createSearchIndex(next).search(query));
        }
      }),
    );
  });

  it('has every term once, ascending, with its documents', () => {
    const table = termTableOf(questions('Snow in Oslo?', 'Rain, rain', 'Rain in Oslo?'));
    expect(table.terms).toEqual(['in', 'oslo', 'rain', 'snow']);
    expect([...postingsIn(table, 'rain')]).toEqual([4, 8]);
    expect([...postingsIn(table, 'raincoat')]).toEqual([]);
    expect([...table.questionTerms]).toEqual([3, 2, 3]);
  });

  it('is of the rules that its number names: when this fails, raise TEXT_RULES, so that no reader mixes two', () => {
    const words = CATEGORIES.flatMap((one) => [...one.keywords, ...one.questionWords, ...(one.names ?? [])]);
    const markets = [
      ...questions(...words, 'J.D. Vance’s $50-100b or 1.5 million by 3pm?', 'Över 40.0 °C in Łódź?'),
      ...CATEGORIES.flatMap(({ tags }) => tags).map((tag) => ({
        id: tag,
        question: '',
        tags: [tag],
        slug: 'a-40pt5',
      })),
    ];
    const hash = createHash('sha256');
    const table = termTableOf(markets);
    hash.update(table.terms.join('\n'));
    for (const part of [table.starts, table.postings, table.questionTerms, table.categories])
      hash.update(part);
    expect([TEXT_RULES, hash.digest('hex').slice(0, 16)]).toEqual([1, '2658fa8681f0bc19']);
  });
});
