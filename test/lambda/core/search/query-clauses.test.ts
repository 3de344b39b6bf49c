import { describe, expect, it } from '@jest/globals';
import { contentTerms, isWeak, queryClauses } from '../../../../lambda/core/search/query-clauses.ts';
import { STOP_WORDS, SYNONYMS } from '../../../../lambda/core/search/synonyms.ts';

const KNOWN = new Set(['super', 'bowl', 'openai', 'open', 'lakers', 'gta', '6', 'bps', '25']);
const clausesOf = (query: string) => queryClauses(query.split(' '), (term) => KNOWN.has(term));
/** Each clause as text: `typed = alternative = alternative`. */
const textOf = (query: string) =>
  clausesOf(query).map(({ typed, alternatives }) =>
    [typed, ...alternatives].map((terms) => terms.join(' ')).join(' = '),
  );

describe('the clauses of a query', () => {
  it.each([
    ['rain', ['rain']],
    ['btc rain', ['btc = bitcoin', 'rain']],
    ['prime minister malta', ['prime minister = pm', 'malta']],
    ['bank england rate', ['bank england = boe', 'rate']],
    ['open ai rain', ['open ai = openai', 'rain']],
    ['superbowl', ['superbowl = super bowl']],
    ['lakres', ['lakres = lakers']],
    ['lakers', ['lakers']],
    ['gta6 25bps', ['gta', '6 = vi', '25', 'bps = basis points']],
    ['1st 2nd', ['1st = first', '2nd = second']],
  ])('%j are %j', (query, clauses) => {
    expect(textOf(query)).toEqual(clauses);
  });

  it('give each member of a synonym group all the others', () => {
    for (const group of SYNONYMS) {
      for (const member of group) {
        const terms = contentTerms(member.split(' '));
        const [clause] = queryClauses(terms, () => true);
        expect(clause?.typed).toEqual(terms);
        const others = group.filter((other) => other !== member);
        const alternatives = clause?.alternatives.map((other) => other.join(' '));
        const wanted = others.map((other) => contentTerms(other.split(' ')).join(' '));
        expect(alternatives).toEqual(expect.arrayContaining(wanted));
      }
    }
  });
});

describe('the terms of a query that count', () => {
  it.each([
    ['when will the lakers be in the finals', ['lakers', 'finals']],
    ['lakers lakers', ['lakers']],
    ['who will', ['who', 'will']],
  ])('of %j are %j', (query, terms) => {
    expect(contentTerms(query.split(' '))).toEqual(terms);
  });

  it.each([
    ['2026', true],
    ['1st', true],
    ['0.5', true],
    ['march', true],
    ['trump', false],
    ['t20', false],
  ])('%j is weak: %j', (term, weak) => {
    expect(isWeak(term)).toBe(weak);
    expect(STOP_WORDS.has(term)).toBe(false);
  });
});
