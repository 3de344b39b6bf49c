import { describe, expect, it } from '@jest/globals';
import {
  catalogueMidpoint,
  currentProbability,
  hasPriceSignal,
  usableMidpoint,
} from '../../../lambda/domain/probability.ts';

describe('the probability of a market', () => {
  const PRICES = { lastTradePrice: 0.2, cataloguePrice: 0.3 };
  const BOTH_SIDES = { bestBid: 0.45, bestAsk: 0.55 };

  it.each([
    ['the midpoint, in percent with three decimals', PRICES, 0.123456, 12.346],
    ['the midpoint at a spread of 0.10', { ...PRICES, spread: 0.1 }, 0.4, 40],
    ['the last trade at a wider spread', { ...PRICES, spread: 0.1001 }, 0.4, 20],
    ['the midpoint at a wider spread without a last trade', { cataloguePrice: 0.3, spread: 0.2 }, 0.4, 40],
    ['the last trade for the midpoint of an empty book', PRICES, 0.5, 20],
    ['the midpoint of a half if there are bid and ask', { ...PRICES, ...BOTH_SIDES }, 0.5, 50],
    ['the price of the catalogue without a midpoint', PRICES, undefined, 30],
    ['the price of the catalogue for an empty book never traded', { cataloguePrice: 0.3 }, 0.5, 30],
    ['the last trade where there is nothing else', { lastTradePrice: 0.2 }, undefined, 20],
    ['unknown without any price', {}, undefined, undefined],
  ])('is %s', (_, market, midpoint, expected) => {
    expect(currentProbability(market, midpoint)).toBe(expected);
  });

  it.each([
    [{}, 0.4, 0.4],
    [{}, 0.5, undefined],
    [{ bestBid: 0.45 }, 0.5, undefined],
    [{ bestBid: 0.45, bestAsk: 1 }, 0.5, undefined],
    [BOTH_SIDES, 0.5, 0.5],
    [BOTH_SIDES, undefined, undefined],
  ])('of %j has of the midpoint %p usable: %p', (market, midpoint, expected) => {
    expect(usableMidpoint(market, midpoint)).toBe(expected);
  });

  it.each([
    [BOTH_SIDES, 0.5],
    [{ bestBid: 0.1, bestAsk: 0.2 }, 0.15],
    [{ bestBid: 0.1, bestAsk: 0.2001 }, undefined],
    [{ bestBid: 0.3, bestAsk: 0.2 }, undefined],
    [{ bestBid: 0, bestAsk: 0.1 }, undefined],
    [{ bestBid: 0.95, bestAsk: 1 }, undefined],
    [{ bestBid: 0.5 }, undefined],
  ])('has in the catalogue %j the midpoint %p', (market, expected) => {
    expect(catalogueMidpoint(market)).toBe(expected);
  });

  it('has a signal in any price, also in 0', () => {
    expect([{}, { bestBid: 0 }, { spread: 0.1 }, PRICES].map(hasPriceSignal)).toEqual([false, true, true, true]);
  });
});
