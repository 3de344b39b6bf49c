import { describe, expect, it } from '@jest/globals';
import { readGammaMarket } from '../../../../lambda/io/polymarket/gamma-market.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';

// Upstream's prices are those of outcome 0. If YES is outcome 1, they are mirrored: a bid of 0.05
// for "No" is an ask of 0.95 for "Yes".
describe('the prices of a market', () => {
  /** A record of Gamma without prices. */
  const NONE = {
    bestBid: undefined,
    bestAsk: undefined,
    lastTradePrice: undefined,
    outcomePrices: undefined,
  };
  const prices = (overrides: object, outcomes = ['Yes', 'No']) => {
    const clobTokenIds = outcomes.map((_, n) => String(n + 1));
    const fields = { ...NONE, outcomes, clobTokenIds, ...overrides };
    const record = readGammaMarket(gammaRecord(fields));
    if (record.kind !== 'listable') throw new Error(`Not listable: ${JSON.stringify(record)}`);
    return record.market.catalogue;
  };

  it.each([
    ['a bid at the top', { bestBid: 1 }, { bid: 1 }],
    ['no bid at 0', { bestBid: 0 }, {}],
    ['an ask at the bottom', { bestAsk: 0 }, { ask: 0 }],
    ['no ask at 1', { bestAsk: 1 }, {}],
    ['a last trade', { lastTradePrice: 1 }, { lastTrade: 1 }],
    ['no last trade at 0', { lastTradePrice: 0 }, {}],
    ['the outcome price', { outcomePrices: '["0.7","0.3"]' }, { outcome: 0.7 }],
    ['no outcome price that cannot be read', { outcomePrices: '["x"]' }, {}],
  ])('of outcome 0 have %s', (_, record, expected) => {
    expect(prices(record)).toEqual(expected);
  });

  it.each([
    ['no bid where outcome 0 has no ask', { bestAsk: 1 }, {}],
    ['no binary noise, and eight decimals', { bestBid: 0.123456789 }, { ask: 0.87654321 }],
  ])('of outcome 1 have %s', (_, record, expected) => {
    expect(prices(record, ['No', 'Yes'])).toEqual(expected);
  });

  const OF_THREE = {
    bestBid: 0.1,
    bestAsk: 0.3,
    lastTradePrice: 0.2,
    outcomePrices: [0.2, 0.3, 0.5],
  };

  it('of the first of three outcomes are complete', () => {
    const all = { bid: 0.1, ask: 0.3, lastTrade: 0.2, outcome: 0.2 };
    expect(prices(OF_THREE, ['Yes', 'A', 'B'])).toEqual(all);
  });

  it('of the third of three outcomes have no book', () => {
    expect(prices(OF_THREE, ['A', 'B', 'Yes'])).toEqual({ outcome: 0.5 });
  });
});
