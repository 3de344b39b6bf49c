import { describe, expect, it } from '@jest/globals';
import type { CataloguePrices, Market } from '../../../../lambda/core/domain/market.ts';
import { bookSides, midpointOf, type PriceSources, priceOf } from '../../../../lambda/core/domain/price.ts';

const CATALOGUE: CataloguePrices = { bid: 0.2, ask: 0.3, lastTrade: 0.22, outcome: 0.25 };
const BEFORE = { currentProbability: 93, midpoint: 0.93, priceSource: 'book', bestBid: 0.92, bestAsk: 0.94 } as const;
const CARRIED = { ...BEFORE, priceSource: 'carried' } as const;
const FROM_CATALOGUE = { ...BEFORE, priceSource: 'catalogue' } as const;

/** Without `sides` or `lastTrade`, the call failed. */
function found(sources: Partial<PriceSources>) {
  const rest = { sides: undefined, lastTrade: undefined, catalogue: CATALOGUE, volume: 1_000 };
  const { price, midpoint, priceSource } = priceOf({ ...rest, ...sources }) ?? {};
  return [price, priceSource, midpoint].filter((one) => one !== undefined);
}

describe('the price of a market', () => {
  it.each<[string, Partial<PriceSources>, number?, Market['priceSource']?, number?]>([
    // A row ends with the price, its source and the midpoint, as far as they exist.
    // A tight book: its middle, whatever else is known.
    ['tight', { sides: { bid: 0.5, ask: 0.6 }, lastTrade: { price: 0.9 } }, 0.55, 'book', 0.55],
    ['tight in ten-thousandths', { sides: { bid: 0.7, ask: 0.8 } }, 0.75, 'book', 0.75],
    ['tight, bid alone', { sides: { bid: 0.93 } }, 0.965, 'book', 0.965],
    ['tight, ask alone', { sides: { ask: 0.004 } }, 0.002, 'book', 0.002],
    ['tight, finest tick', { sides: { bid: 0.0055, ask: 0.0056 } }, 0.00555, 'book', 0.00555],
    // A wide book: the last trade within the sides.
    ['wide, trade inside', { sides: { bid: 0.001, ask: 0.99 }, lastTrade: { price: 0.004 } }, 0.004, 'trade'],
    ['wide by a tick, trade below', { sides: { bid: 0.5, ask: 0.6001 }, lastTrade: { price: 0.4 } }, 0.5, 'trade'],
    ['wide, trade above', { sides: { bid: 0.5, ask: 0.8 }, lastTrade: { price: 0.9 } }, 0.8, 'trade'],
    ['bid alone, trade below', { sides: { bid: 0.3 }, lastTrade: { price: 0.1 } }, 0.3, 'trade'],
    ['ask alone, trade above', { sides: { ask: 0.3 }, lastTrade: { price: 0.7 } }, 0.3, 'trade'],
    ['wide, never traded', { sides: { bid: 0.1, ask: 0.9 }, lastTrade: {}, previous: BEFORE }, 0.93, 'carried'],
    ['wide, never traded, no volume', { sides: { bid: 0.1, ask: 0.9 }, lastTrade: {}, volume: 0 }, 0.25, 'catalogue'],
    // An empty book, or a token that the response does not name.
    ['empty, trade', { sides: {}, lastTrade: { price: 0.99 }, previous: BEFORE }, 0.99, 'trade'],
    ['empty, no trade', { sides: {}, lastTrade: {}, previous: BEFORE }, 0.93, 'carried'],
    ['empty, no trade, carried before', { sides: {}, lastTrade: {}, previous: CARRIED }],
    ['empty, no trade, from the catalogue before', { sides: {}, lastTrade: {}, previous: FROM_CATALOGUE }],
    ['empty, no trade, not listed before', { sides: {}, lastTrade: {} }],
    ['empty, no trade, no volume', { sides: {}, lastTrade: {}, volume: 0, previous: BEFORE }, 0.25, 'catalogue'],
    [
      'empty, no volume, no catalogue',
      { sides: {}, lastTrade: {}, volume: 0, catalogue: {}, previous: BEFORE },
      0.93,
      'carried',
    ],
    // The call for last trades failed.
    ['wide, trades fail', { sides: { bid: 0.1, ask: 0.9 }, previous: BEFORE }, 0.22, 'catalogue'],
    ['wide, trades fail, catalogue outside', { sides: { bid: 0.6 }, previous: BEFORE }, 0.6, 'catalogue'],
    [
      'wide, trades fail, none in the catalogue',
      { sides: { bid: 0.6 }, catalogue: {}, previous: BEFORE },
      0.93,
      'carried',
    ],
    ['empty, trades fail', { sides: {}, previous: BEFORE }, 0.93, 'carried'],
    ['empty, trades fail, carried before', { sides: {}, previous: CARRIED }],
    // The call for sides failed.
    ['failed', { previous: BEFORE }, 0.93, 'carried', 0.93],
    ['failed, no midpoint before', { previous: { currentProbability: 4.5, priceSource: 'trade' } }, 0.045, 'carried'],
    ['failed again', { previous: CARRIED }, 0.25, 'catalogue', 0.25],
    ['failed a third time', { previous: FROM_CATALOGUE }, 0.25, 'catalogue', 0.25],
    ['failed, not listed before', {}, 0.25, 'catalogue', 0.25],
    ['failed, wide catalogue', { catalogue: { bid: 0.3, ask: 0.9, lastTrade: 0.2, outcome: 0.6 } }, 0.3, 'catalogue'],
    ['failed, wide catalogue, no trade', { catalogue: { bid: 0.3, ask: 0.9, outcome: 0.6 } }, 0.6, 'catalogue'],
    ['failed, no sides in the catalogue', { catalogue: { lastTrade: 0.2, outcome: 0.6 } }, 0.6, 'catalogue'],
    ['failed, a trade alone', { catalogue: { lastTrade: 0.2 } }, 0.2, 'catalogue'],
    ['failed, empty catalogue', { catalogue: {} }],
  ])('with a book that is %s', (_book, sources, ...expected) => {
    expect(found(sources)).toEqual(expected);
  });

  it.each<[string, Partial<PriceSources>, object]>([
    [
      'of this run',
      { sides: { bid: 0.5, ask: 0.53 } },
      { bestBid: 0.5, bestAsk: 0.53, spread: 0.03, lastTradePrice: 0.22 },
    ],
    [
      'of this run with its last trade',
      { sides: { bid: 0.6 }, lastTrade: { price: 0.5 } },
      { bestBid: 0.6, spread: 0.4, lastTradePrice: 0.5 },
    ],
    ['absent for an empty book', { sides: {}, lastTrade: {}, previous: BEFORE }, { lastTradePrice: 0.22 }],
    [
      'of the snapshot before with its price',
      { previous: { ...BEFORE, spread: 0.02 } },
      { bestBid: 0.92, bestAsk: 0.94, spread: 0.02 },
    ],
    ["the catalogue's with its price", {}, { bestBid: 0.2, bestAsk: 0.3, spread: 0.1, lastTradePrice: 0.22 }],
  ])('has sides that are %s', (_which, sources, expected) => {
    const {
      price: _,
      priceSource: _source,
      midpoint: _midpoint,
      ...quote
    } = priceOf({ sides: undefined, lastTrade: undefined, catalogue: CATALOGUE, volume: 1, ...sources }) ?? {};
    expect(quote).toEqual(expected);
  });
});

describe('the sides of a book', () => {
  it.each([
    [0.4, 0.6, { bid: 0.4, ask: 0.6 }],
    [0, 1, {}],
    [1, 0, {}],
    [-0.1, 1.1, {}],
    [undefined, 0.6, { ask: 0.6 }],
    [0.6, 0.4, { bid: 0.4, ask: 0.6 }],
    [0.5, 0.5, { bid: 0.5, ask: 0.5 }],
  ])('with a bid of %p and an ask of %p', (bid, ask, expected) => {
    expect(bookSides(bid, ask)).toEqual(expected);
  });

  it('have no middle without any side', () => {
    expect(midpointOf({})).toBeUndefined();
  });
});
