// Terms are the words and numbers of a text in one spelling, so that the search finds "Édouard" by
// "edouard" and "$150,000" by "150k".

import { describe, expect, it } from '@jest/globals';
import { hasDigit, slugTerms, termsOf } from '../../../../lambda/core/domain/terms.ts';

describe('the terms of a text', () => {
  it.each([
    ['Fed RATE Cut', ['fed', 'rate', 'cut']],
    [
      'Édouard Curaçao Yeşilgöz Łódź Ødegaard',
      ['edouard', 'curacao', 'yesilgoz', 'lodz', 'odegaard'],
    ],
    ["O’Rourke o'rourke ORourke", ['orourke', 'orourke', 'orourke']],
    ["Trump’s Musk's senators'", ['trump', 'musk', 'senators']],
    ['U.S. J.D. Vance', ['us', 'jd', 'vance']],
    ['AT&T S&P 500', ['att', 'sp', '500']],
    ['A&B=c?d#e%f g+h/i', ['abcdef', 'g', 'h', 'i']],
    ['(March 31, 2026): "yes!"', ['march', '31', '2026', 'yes']],
    ['Pause–Cut–Cut (Jan-Apr)', ['pause', 'cut', 'cut', 'jan', 'apr']],
    ['TX-07 T20 98th 2PM', ['tx', '7', 't20', '98th', '2pm']],
    ['Биткоин до конца', ['биткоин', 'до', 'конца']],
    ['比特币 price', ['比', '特', '币', 'price']],
    ['हिन्दी', ['हिन्दी']],
    ['İstanbul ＦＥＤ straße', ['istanbul', 'fed', 'strasse']],
    ['🚀 bitcoin 🚀', ['bitcoin']],
  ])('of %j are %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each([
    ['150k', '150000'],
    ['$150,000', '150000'],
    ['150 thousand', '150000'],
    ['1,000,000', '1000000'],
    ['2.5mn', '2500000'],
    ['$0.27T', '270000000000'], // 0.27 * 1e12 has a fraction
    ['$1.0T', '1000000000000'],
    ['750B', '750000000000'],
    ['0.15', '0.15'],
    ['40.0%', '40'],
    ['07', '7'],
    ['000000000000007', '7'], // the longest amount
  ])('write the amount %j as %j', (text, term) => {
    expect(termsOf(text)).toEqual([term]);
  });

  it.each([
    ['$50-100b', ['50000000000', '100000000000']],
    ['2025–26', ['2025', '26']],
    ['February 2-8', ['february', '2', '8']],
    ['7.5km', ['7', '5km']],
  ])('of the range or measure %j are %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('keep a number that is too long for an amount as it is written', () => {
    const tokenId = '12345678901234567890123456789012345678901234567890123456789012345678901234567';
    expect(termsOf(tokenId)).toEqual([tokenId]);
  });

  it.each(['', '  \t\n', '&=?#%', '% & ?', '...', '-- !!', '🚀🚀', '$', '“”', '\u0301'])(
    'do not exist in %j',
    (text) => {
      expect(termsOf(text)).toEqual([]);
    },
  );
});

it('the terms of a slug read "pt" between digits as a decimal point', () => {
  const terms = ['rating', 'below', '40.5', 'on', 'february', '6'];
  expect(slugTerms('rating-below-40pt5-on-february-6')).toEqual(terms);
});

it('a digit of any script counts as a digit', () => {
  expect(['98th', '१', 'ten'].map(hasDigit)).toEqual([true, true, false]);
});
