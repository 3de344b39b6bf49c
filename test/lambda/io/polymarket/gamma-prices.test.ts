import { describe, expect, it } from '@jest/globals';
import { readGammaMarket } from '../../../../lambda/io/polymarket/gamma-market.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';

// A market of Gamma, Polymarket's catalogue, has up to four prices: the best bid and ask, that of
// the last trade, and one for each outcome. All but the last are prices of its first outcome. The
// service shows those of "Yes". If "Yes" is the second outcome, they are mirrored: a bid of 0.05 for
// "No" is an ask of 0.95 for "Yes".
describe('the prices of "Yes"', () => {
  /** The prices that the service reads from a record with these prices only. */
  const prices = (recorded: object, outcomes = ['Yes', 'No']) => {
    const record = readGammaMarket(
      gammaRecord({
        bestBid: undefined,
        bestAsk: undefined,
        lastTradePrice: undefined,
        outcomePrices: undefined,
        outcomes,
        clobTokenIds: outcomes.map((_, n) => String(n + 1)),
        ...recorded,
      }),
    );
    if (record.kind !== 'listable') throw new Error(`Not listable: ${JSON.stringify(record)}`);
    return record.market.catalogue;
  };

  // Gamma writes a bid of 0, an ask of 1 or a last trade at 0 where there is none.
  it.each([
    { what: 'a bid at the top', recorded: { bestBid: 1 }, read: { bid: 1 } },
    { what: 'no bid at 0', recorded: { bestBid: 0 }, read: {} },
    { what: 'an ask at the bottom', recorded: { bestAsk: 0 }, read: { ask: 0 } },
    { what: 'no ask at 1', recorded: { bestAsk: 1 }, read: {} },
    { what: 'a last trade', recorded: { lastTradePrice: 1 }, read: { lastTrade: 1 } },
    { what: 'no last trade at 0', recorded: { lastTradePrice: 0 }, read: {} },
    {
      what: 'the outcome price',
      recorded: { outcomePrices: '["0.7","0.3"]' },
      read: { outcome: 0.7 },
    },
    { what: 'no unreadable outcome price', recorded: { outcomePrices: '["x"]' }, read: {} },
  ])('as the first outcome have $what', ({ recorded, read }) => {
    expect(prices(recorded)).toEqual(read);
  });

  it('as the second outcome are mirrored, with eight decimals and no binary noise', () => {
    expect(prices({ bestBid: 0.123456789 }, ['No', 'Yes'])).toEqual({ ask: 0.87654321 });
  });

  it('as the second outcome have no bid if the first has no ask', () => {
    expect(prices({ bestAsk: 1 }, ['No', 'Yes'])).toEqual({});
  });

  const OF_THREE = {
    bestBid: 0.1,
    bestAsk: 0.3,
    lastTradePrice: 0.2,
    outcomePrices: [0.2, 0.3, 0.5],
  };

  it('as the first of three outcomes are complete', () => {
    const all = { bid: 0.1, ask: 0.3, lastTrade: 0.2, outcome: 0.2 };
    expect(prices(OF_THREE, ['Yes', 'A', 'B'])).toEqual(all);
  });

  it('as the third of three outcomes have no bid, ask or last trade', () => {
    expect(prices(OF_THREE, ['A', 'B', 'Yes'])).toEqual({ outcome: 0.5 });
  });
});
