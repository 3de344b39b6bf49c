import { describe, expect, it } from '@jest/globals';
import { currentProbability, hintsAtPrice } from '../../../../lambda/domain/probability.ts';
import { catalogueMarket, UNPRICED } from '../../../support/catalogue-market.ts';

describe('currentProbability', () => {
  const noBook = { bestBid: undefined, bestAsk: undefined };
  const none = { ...noBook, spread: undefined, lastTradePrice: undefined, outcomePrice: undefined };
  it.each([
    ['the midpoint', { spread: 0.01, lastTradePrice: 0.9, outcomePrice: 0.8 }, 0.45, 45],
    ['the midpoint at a spread of exactly 0.10', { spread: 0.1, lastTradePrice: 0.9 }, 0.45, 45],
    [
      'the midpoint where binary noise makes 0.10 look wider',
      { spread: 0.1 + 1e-12, lastTradePrice: 0.9 },
      0.45,
      45,
    ],
    ['the midpoint where the spread is unknown', { ...none, lastTradePrice: 0.9 }, 0.45, 45],
    ['the last trade at a wide spread', { spread: 0.1001, lastTradePrice: 0.9, outcomePrice: 0.8 }, 0.45, 90],
    [
      'the last trade at a wide spread without a midpoint',
      { spread: 0.5, lastTradePrice: 0.9, outcomePrice: 0.8 },
      undefined,
      90,
    ],
    ['the midpoint at a wide spread without a trade', { ...none, spread: 0.5, outcomePrice: 0.8 }, 0.45, 45],
    [
      'the catalogue price without a midpoint',
      { spread: 0.01, lastTradePrice: 0.9, outcomePrice: 0.8 },
      undefined,
      80,
    ],
    [
      'the catalogue price at a wide spread without trade and midpoint',
      { ...none, spread: 0.5, outcomePrice: 0.8 },
      undefined,
      80,
    ],
    ['the last trade where there is nothing else', { ...none, lastTradePrice: 0.9 }, undefined, 90],
    ['the midpoint 0.5 where the catalogue knows a bid and an ask', { bestBid: 0.4, bestAsk: 0.6 }, 0.5, 50],
    [
      'the last trade where 0.5 may be an empty book',
      { ...noBook, lastTradePrice: 0.9, outcomePrice: 0.8 },
      0.5,
      90,
    ],
    ['the catalogue price there without a trade', { ...none, outcomePrice: 0.8 }, 0.5, 80],
    [
      'the last trade where a side of the book is missing',
      { ...noBook, bestBid: 0.4, lastTradePrice: 0.9 },
      0.5,
      90,
    ],
    [
      'the last trade where the sides are those of an empty book',
      { bestBid: 0, bestAsk: 1, lastTradePrice: 0.9 },
      0.5,
      90,
    ],
    ['the last trade where only the bid is none', { bestBid: 0, bestAsk: 0.6, lastTradePrice: 0.9 }, 0.5, 90],
    ['the last trade where only the ask is none', { bestBid: 0.4, bestAsk: 1, lastTradePrice: 0.9 }, 0.5, 90],
    ['the last trade where the bid is not known', { ...noBook, bestAsk: 0.6, lastTradePrice: 0.9 }, 0.5, 90],
    ['nothing for an empty book that was never traded', none, 0.5, undefined],
    ['nothing without any price', none, undefined, undefined],
    ['0 and not nothing for a midpoint of 0', { ...none, outcomePrice: 0.8 }, 0, 0],
    ['three decimals', none, 0.123_456, 12.346],
    ['halves away from zero in spite of binary noise', none, 0.010_005, 1.001],
  ])('is %s', (_, overrides, midpoint, expected) => {
    expect(currentProbability(catalogueMarket(1, overrides), midpoint)).toBe(expected);
  });
});

describe('a catalogue', () => {
  it.each(Object.keys(UNPRICED))('hints at a price by %s alone, even by 0', (key) => {
    expect(hintsAtPrice(catalogueMarket(1, { ...UNPRICED, [key]: 0 }))).toBe(true);
  });

  it('hints at no price where it gives none of them', () => {
    expect(hintsAtPrice(catalogueMarket(1, UNPRICED))).toBe(false);
  });
});
