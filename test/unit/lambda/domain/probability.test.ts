import { describe, expect, it } from '@jest/globals';
import { currentProbability } from '../../../../lambda/domain/probability.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';

describe('currentProbability', () => {
  const none = { spread: undefined, lastTradePrice: undefined, outcomePrice: undefined };
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
    ['nothing without any price', none, undefined, undefined],
    ['0 and not nothing for a midpoint of 0', { ...none, outcomePrice: 0.8 }, 0, 0],
    ['two decimals', none, 0.123456, 12.35],
    ['halves away from zero in spite of binary noise', none, 0.010_05, 1.01],
  ])('is %s', (_, overrides, midpoint, expected) => {
    expect(currentProbability(catalogueMarket(1, overrides), midpoint)).toBe(expected);
  });
});
