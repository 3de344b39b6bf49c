import { describe, expect, it } from '@jest/globals';
import { fold, queryTerms, slugTerms, stripQuery } from '../../../../lambda/search/terms.ts';

describe('stripQuery', () => {
  it('removes & = ? # % and nothing else', () => {
    expect(stripQuery('a&b=c?d#e%f g+h/i')).toBe('abcdef g+h/i');
  });
});

describe('queryTerms', () => {
  it.each([
    ['Fed RATE Cut', ['fed', 'rate', 'cut']],
    ['Édouard Curaçao Yeşilgöz Łódź Ødegaard', ['edouard', 'curacao', 'yesilgoz', 'lodz', 'odegaard']],
    ["O’Rourke o'rourke ORourke", ['orourke', 'orourke', 'orourke']],
    ["Trump’s Musk's senators'", ['trump', 'musk', 'senators']],
    ['U.S. J.D. Vance', ['us', 'jd', 'vance']],
    ['AT&T S&P 500', ['att', 'sp', '500']],
    ['Pause–Cut–Cut (Jan-Apr)', ['pause', 'cut', 'cut', 'jan', 'apr']],
    ['TX-07 T20 98th 2PM', ['tx', '7', 't20', '98th', '2pm']],
    ['Биткоин до конца', ['биткоин', 'до', 'конца']],
    ['比特币 price', ['比', '特', '币', 'price']],
    ['हिन्दी', ['हिन्दी']],
    ['🚀 bitcoin 🚀', ['bitcoin']],
  ])('cuts %j', (query, words) => {
    expect(queryTerms(query)).toEqual(words);
  });

  it.each([
    ['150k', '150000'],
    ['$150,000', '150000'],
    ['150 thousand', '150000'],
    ['$1m', '1000000'],
    ['1 million', '1000000'],
    ['1,000,000', '1000000'],
    ['2.3M', '2300000'],
    ['$1.0T', '1000000000000'],
    ['750B', '750000000000'],
    ['$2.00', '2'],
    ['0.15', '0.15'],
    ['40.0%', '40'],
    ['07', '7'],
  ])('writes the amount %j as %j', (query, word) => {
    expect(queryTerms(query)).toEqual([word]);
  });

  it.each([
    ['$50-100b', ['50000000000', '100000000000']],
    ['250,000-500,000', ['250000', '500000']],
    ['2025–26', ['2025', '26']],
    ['February 2-8', ['february', '2', '8']],
    ['7.5km', ['7', '5km']],
  ])('reads the range or measure %j', (query, words) => {
    expect(queryTerms(query)).toEqual(words);
  });

  it('keeps a number too long for an amount as it is written', () => {
    const tokenId = '12345678901234567890123456789012345678901234567890123456789012345678901234567';
    expect(queryTerms(tokenId)).toEqual([tokenId]);
  });

  it.each(['', '  \t\n', '&=?#%', '% & ?', '...', '-- !!', '🚀🚀', '$', '“”', '\u0301'])(
    'finds nothing to search for in %j',
    (query) => {
      expect(queryTerms(query)).toEqual([]);
    },
  );
});

describe('slugTerms', () => {
  it('reads "pt" between digits as a decimal point', () => {
    expect(slugTerms('rating-below-40pt5-on-february-6')).toEqual([
      'rating',
      'below',
      '40.5',
      'on',
      'february',
      '6',
    ]);
  });
});

describe('fold', () => {
  it.each([
    ['İstanbul', 'istanbul'],
    ['ＦＥＤ', 'fed'],
    ['straße', 'strasse'],
    ['\ud800', '\ud800'],
  ])('folds %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });
});
