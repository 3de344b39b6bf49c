import { SYLLABLES } from '../../../test/support/syllables.ts';

/** Queries of every kind over the generated markets. */
export const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'one word': ['bitcoin', 'ceasefire', 'karomin', 'halftime', 'nba'],
  'several words': ['btc 150k', 'fed rate cut', '2028 presidential nominee', 'halftime show super bowl lx'],
  prefix: ['eth', 'pres', 'ka', 'w', 'doge'],
  misspelled: ['etherium', 'cesefire', 'presidental winer', 'halftiem', 'bitcion 150000'],
  category: ['election', 'crypto', 'sports finals', 'economics cut march', 'crypto election 2028'],
  'no match': ['zzzzqqqq', 'xylophonist quartet', 'абвгд'],
  '200 characters': [
    'win the 2028 election will you '.repeat(7).slice(0, 200),
    'mispeled wrods evrywhere '.repeat(8),
  ],
  '100 words': [
    Array.from({ length: 100 }, (_, index) => `${SYLLABLES[index % 15]}${SYLLABLES[index % 7]}`).join(' '),
  ],
};
