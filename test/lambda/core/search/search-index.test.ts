// `SearchIndex` is the full-text search over the questions and other texts of markets. It finds
// words, synonyms and categories, and forgives typos. Its result says how the markets match: they
// have all words of the query, any of them, or they belong to a category that it names.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contentTerms } from '../../../../lambda/core/search/query-clauses.ts';
import { type SearchableMarket, SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { SYNONYMS } from '../../../../lambda/core/search/synonyms.ts';
import { MADE_UP_MARKETS, MADE_UP_QUERIES, market } from './made-up-markets.ts';

/** The index of a list of markets. Its results are positions in this list from 0, best first. */
function indexOf(markets: readonly SearchableMarket[]) {
  const index = new SearchIndex();
  return { search: (query: string) => index.search(markets, query) };
}

const indexOfQuestions = (...questions: readonly string[]) =>
  indexOf(questions.map((question) => market(question)));

/** The positions of the questions that the query finds, for example [1] for the second one. */
const found = (query: string, ...questions: readonly string[]) =>
  indexOfQuestions(...questions).search(query).positions;

describe('relevance', () => {
  it.each(Object.entries(MADE_UP_QUERIES))(
    'puts first for %j what a person expects: %j',
    (query, expected) => {
      const [first = -1] = indexOf(MADE_UP_MARKETS).search(query).positions;
      expect(expected).toContain(MADE_UP_MARKETS[first]?.slug);
    },
  );

  it('puts a typed word before words that begin with it', () => {
    const questions = ['Maplewood?', 'Maple or oak?', 'Will maples grow?', 'Staple?'];
    expect(found('maple', ...questions)).toEqual([1, 2, 0]);
  });

  it('puts equal matches in list order', () => {
    const questions = ['Will the Lakers of Los Angeles win?', 'Will it rain?', 'Lakers in?'];
    expect(found('lakers', ...questions)).toEqual([0, 2]);
  });

  it('puts the question before the other texts, even where these are rarer [sentence 27]', () => {
    const verbs = ['win', 'lose', 'lead', 'cover', 'draw'];
    const index = indexOf([
      // Positions 0 to 2: the word is in another text than the question.
      market('Will Duke cover?', { slug: 'duke-tarheels-spread', eventTitle: 'Duke' }),
      market('Spread: -5.5', { eventTitle: 'Duke vs. Tarheels' }),
      market('Who wins?', { groupItemTitle: 'Tarheels' }),
      // Positions 3 to 7.
      ...verbs.map((verb) => market(`Will the Tarheels ${verb}?`)),
      ...Array.from({ length: 20 }, (_, n) => market(`Rain in town ${n}?`)),
    ]);
    // The word, its beginning, its singular, and a typo. Each group is in list order.
    for (const query of ['tarheels', 'tarhe', 'tarheel', 'tarhels']) {
      expect(index.search(query).positions).toEqual([3, 4, 5, 6, 7, 0, 1, 2]);
    }
  });

  it('counts a word once that the event title repeats', () => {
    const index = indexOf([
      market('Duke up?'),
      market('Duke down?', { eventTitle: 'Duke', slug: 'duke-down' }),
    ]);
    expect(index.search('duke').positions).toEqual([0, 1]);
  });

  it('puts the typed word before its synonyms', () => {
    expect(found('btc', 'Will bitcoin rise?', 'Will BTC rise?')).toEqual([1, 0]);
    expect(found('bitcoin', 'Will BTC rise?', 'Will bitcoin rise?')).toEqual([1, 0]);
  });

  it('puts a whole question first', () => {
    const aboutFrance = ['Will France win, and France again?', 'Will France win?'];
    expect(found('will france win', ...aboutFrance)).toEqual([1, 0]);
    // "crypto" also names a category.
    const aboutCrypto = ['Will crypto fall or rise in May or July?', 'Will crypto fall in May?'];
    expect(found('Will crypto fall in May?', ...aboutCrypto)).toEqual([1, 0]);
  });
});

describe('a search', () => {
  it('needs all words, in any order', () => {
    const questions = [
      'Russia x Ukraine ceasefire?',
      'Will Ukraine qualify?',
      'Ceasefire in Gaza?',
    ];
    expect(found('ceasefire ukraine', ...questions)).toEqual([0]);
  });

  it('forgives typos only if no market has the words as typed', () => {
    expect(found('maple', 'Mable?', 'Maple?')).toEqual([1]);
  });

  it.each([
    ['swapped letters', 'alkers', 'Will the Lakers win?'],
    ['one typo in six letters', 'lakerz', 'Will the Lakers win?'],
    ['a singular', 'laker', 'Will the Lakers win?'],
    ['a plural', 'boxes', 'A box of gold?'],
    ['two typos in twelve letters', 'presidancial', 'A presidential race?'],
    ['two typos in eight letters', 'dogekoyn', 'Will Dogecoin rise?'],
    ['a typo in a name', 'jonny smith', 'Will Johnny Smith win?'],
    ['two words as one', 'superbowl', 'A Super Bowl?'],
    ['numbers without blanks', 'gta6 25bps', 'GTA VI by 25 basis points?'],
    ['the beginning of a word', 'micro', 'MicroStrategy?'],
    ["names of JavaScript's own fields", 'constructor __proto__', 'Constructor of __proto__?'],
  ])('with %s, %j, finds %j [sentence 27]', (_difficulty, query, question) => {
    // No query may find this question, although it resembles some of them.
    const similar = 'On 1st May 2099, Jonny D.';
    expect(found(query, similar, question)).toEqual([1]);
  });

  it.each([
    ['a typo in three letters', 'cat', 'Will the car start?'],
    ['another word', 'gold', 'Will it be pure?'],
    ['another year', '2027', 'Will it happen in 2026?'],
    ['another number', 't21', 'Will T20 be played?'],
    ['a letter that begins a word', 'e', 'Each?'],
    ['two typos in five letters', 'lkras', 'Lakers?'],
    ['a typo in more than 20 letters', 'xdonaudampfschiffahrt', 'Donaudampfschiffahrt?'],
    ['two typos in seven letters', 'bitkoyn', 'Will Bitcoin rise?'],
    ['a plural of another word', 'boxes', 'A bold plan?'],
    ['two separate words as one', 'upset', 'Up, then set?'],
    ['only punctuation', '?? %', 'Will it rain?'],
  ])('with %s, %j, does not find %j', (_difference, query, question) => {
    expect(found(query, question)).toEqual([]);
  });

  describe('whose words no market has together', () => {
    const index = indexOfQuestions(
      'Will Trump run?',
      'Will Trump meet Putin?',
      'Snow in March 2030?',
      'Trump in March?',
    );

    it.each([
      ['trump zebra putin', [1, 0, 3]],
      ['trump zebra march', [3, 0, 1]],
    ])('takes any of them, %j, those with more of them first', (query, positions) => {
      expect(index.search(query)).toEqual({ positions, match: 'any' });
    });

    it('takes no date and no number alone', () => {
      expect(index.search('zebra march 2030')).toEqual({ positions: [], match: 'all' });
    });

    it('takes a known word as it is, not as a typo', () => {
      const rates = indexOfQuestions('Will rates fall?', 'Who wins the race?');
      expect(rates.search('zebra rates')).toEqual({ positions: [0], match: 'any' });
    });

    it('first forgives typos', () => {
      expect(index.search('trmp putin')).toEqual({ positions: [1], match: 'all' });
    });
  });

  it('for one spelling of a synonym finds each other one of its group', () => {
    for (const members of SYNONYMS) {
      // The spellings as a query has them: without stop words.
      const group = members.map((member) => contentTerms(member.split(' ')).join(' '));
      for (const query of group) {
        for (const other of group) {
          const positions = found(query, 'Zebra?', `Quagga ${other}?`);
          expect({ query, other, positions }).toEqual({ query, other, positions: [1] });
        }
      }
    }
  });

  describe('for stop words alone', () => {
    const questions = ['Who will win?', 'Will it be?', 'Rain?', 'Will who?', 'Who will?'];

    it('needs all of them in the question', () => {
      expect(found('who will', ...questions)).toEqual([4, 0, 3]);
    });

    it('takes any of them if no question has all', () => {
      const result = indexOfQuestions(...questions).search('be the will');
      expect(result).toEqual({ positions: [1, 0, 3, 4], match: 'any' });
      const other = indexOfQuestions('To be?', 'Rain?').search('be the');
      expect(other).toEqual({ positions: [0], match: 'any' });
    });

    it('finds nothing if no question has one', () => {
      const result = indexOfQuestions(...questions).search('the');
      expect(result).toEqual({ positions: [], match: 'all' });
    });
  });

  describe('with more than eight terms', () => {
    const EIGHT = 'alpha beta gamma delta epsilon zeta eta theta';

    it('ignores the ninth', () => {
      expect(found(`${EIGHT} iota`, 'Iota?', `${EIGHT}?`)).toEqual([1]);
    });

    // No market has all terms. So the search finds those with any of them, and the one with more
    // of them comes first.
    it('uses each of the first eight', () => {
      expect(found(`iota ${EIGHT}`, 'Iota?', `${EIGHT}?`)).toEqual([1, 0]);
      expect(found(EIGHT, 'Theta?', 'Alpha beta gamma delta epsilon zeta eta?')).toEqual([1, 0]);
    });

    // Both markets are about crypto. The second one is better only while "iota" counts.
    it('applies the limit to the terms beside a category', () => {
      const index = indexOfQuestions('Bitcoin?', 'Bitcoin iota?');
      expect(index.search(`crypto ${EIGHT} iota`).positions).toEqual([0, 1]);
      expect(index.search(`crypto iota ${EIGHT}`).positions).toEqual([1, 0]);
    });
  });
});

describe('a search for a category', () => {
  /** Markets 0, 1 and 3 are about crypto, 1 and 4 about economics. */
  const index = indexOf([
    market('Bitcoin in May?'),
    market('Fed and Bitcoin?', { categories: ['crypto', 'economics'] }),
    market('A crypt?'),
    market('Bitcoin in March?'),
    market('Will the Fed cut?'),
  ]);

  it.each([
    ['crypto', [0, 1, 3]],
    ['the CRYPTO', [0, 1, 3]],
    ['crypto march', [3, 0, 1]],
    ['crypto zebra', [0, 1, 3]],
    ['crypto economics', [1, 0, 3, 4]],
    ['economics cut', [4, 1]],
  ])(
    '%j finds all its markets, those with the other words first [sentence 26]',
    (query, positions) => {
      expect(index.search(query)).toEqual({ positions, match: 'category' });
    },
  );

  it('without markets is a search for the word', () => {
    expect(index.search('sports')).toEqual({ positions: [], match: 'all' });
    expect(index.search('crypt')).toEqual({ positions: [2], match: 'all' });
  });
});

describe('for any query and any texts, the search', () => {
  const words = [
    '\ud800',
    ...'Trump bitcoin tech Curaçao $150,000 VI 比特币 the & O’Rourke'.split(' '),
  ];
  /** Texts of any characters, of characters that are hard to normalise, and of words. */
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('a', 'ß', 'e\u0301', 'か', 'ﬁ', '🇺🇸', '1', '.', ' '),
      maxLength: 40,
    }),
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' ')),
  );
  const lists = fc
    .array(fc.record({ question: text, slug: text, eventTitle: text }), {
      minLength: 1,
      maxLength: 20,
    })
    .map((all) => all.map((texts, n) => market(texts.question, { ...texts, id: String(n) })));

  it('returns each position at most once and does not throw', () => {
    fc.assert(
      fc.property(lists, text, (list, query) => {
        const { positions } = indexOf(list).search(query);
        expect(new Set(positions).size).toBe(positions.length);
        expect(positions.every((position) => list[position] !== undefined)).toBe(true);
      }),
    );
  });
});
