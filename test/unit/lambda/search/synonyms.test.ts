import { describe, expect, it } from '@jest/globals';
import { createSearchIndex } from '../../../../lambda/search/search-index.ts';
import { EMPTY_WORDS, SYNONYMS } from '../../../../lambda/search/synonyms.ts';
import { queryWords } from '../../../../lambda/search/terms.ts';
import { questions } from './search-markets.ts';

const PAIRS = SYNONYMS.flatMap((group) =>
  group.flatMap((typed) => group.map((listed) => ({ typed, listed }))),
);

describe('synonyms', () => {
  it.each(PAIRS)('"$typed" finds a question that says "$listed"', ({ typed, listed }) => {
    const index = createSearchIndex(questions('Will zebras roam?', `Will zebras meet ${listed} again?`));
    expect(index.search(`zebras ${typed}`, 20)).toEqual([1]);
  });

  it.each(PAIRS.filter(({ typed, listed }) => typed !== listed))(
    '"$typed" typed is worth more than "$listed"',
    ({ typed, listed }) => {
      const index = createSearchIndex(questions(`Will zebras meet ${listed}?`, `Will zebras meet ${typed}?`));
      expect(index.search(`zebras ${typed}`, 20)[0]).toBe(` ${listed} `.includes(` ${typed} `) ? 0 : 1);
    },
  );

  it('are written as the search writes words', () => {
    for (const member of [...SYNONYMS.flat(), ...EMPTY_WORDS])
      expect(queryWords(member).join(' ')).toBe(member);
  });
});
