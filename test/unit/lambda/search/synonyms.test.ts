import { describe, expect, it } from '@jest/globals';
import { STOP_WORDS, SYNONYMS, WEAK_TERMS } from '../../../../lambda/search/synonyms.ts';
import { queryTerms } from '../../../../lambda/search/terms.ts';
import { found, questions } from './search-markets.ts';

const PAIRS = SYNONYMS.flatMap((group) =>
  group.flatMap((typed) => group.map((listed) => ({ typed, listed }))),
);

describe('synonyms', () => {
  it.each(PAIRS)('"$typed" finds a question that says "$listed"', ({ typed, listed }) => {
    const markets = questions('Will zebras roam?', `Will zebras meet ${listed} again?`);
    expect(found(markets, `zebras ${typed}`)).toEqual([1]);
  });

  it.each(PAIRS.filter(({ typed, listed }) => typed !== listed))(
    '"$typed" typed is worth more than "$listed"',
    ({ typed, listed }) => {
      const markets = questions(`Will zebras meet ${listed}?`, `Will zebras meet ${typed}?`);
      expect(found(markets, `zebras ${typed}`)[0]).toBe(` ${listed} `.includes(` ${typed} `) ? 0 : 1);
    },
  );

  it('are written as the search writes words', () => {
    for (const member of [...SYNONYMS.flat(), ...STOP_WORDS, ...WEAK_TERMS])
      expect(queryTerms(member).join(' ')).toBe(member);
  });
});
