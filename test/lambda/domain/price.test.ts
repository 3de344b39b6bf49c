import { describe, expect, it } from '@jest/globals';
import type { CataloguePrices } from '../../../lambda/domain/market.ts';
import { bookSides, midpointOf, type PriceSources, priceOf } from '../../../lambda/domain/price.ts';

const CATALOGUE: CataloguePrices = { bid: 0.2, ask: 0.3, lastTrade: 0.22, outcome: 0.25 };
const BEFORE = { currentProbability: 93, midpoint: 0.93, priceSource: 'book', bestBid: 0.92, bestAsk: 0.94 } as const;
const CARRIED = { ...BEFORE, priceSource: 'carried' } as const;
const FROM_CATALOGUE = { ...BEFORE, priceSource: 'catalogue' } as const;
const NEVER = { price: undefined, source: undefined };

/** Without `sides` or `lastTrade`, the call failed. */
function found(sources: Partial<PriceSources>) {
  const rest = { sides: undefined, lastTrade: undefined, catalogue: CATALOGUE, volume: 1_000 };
  const { price, midpoint, priceSource: source } = priceOf({ ...rest, ...sources }) ?? {};
  return { price, source, ...(midpoint !== undefined && { midpoint }) };
}

describe('the price of a market', () => {
  it.each<[string, Partial<PriceSources>, ReturnType<typeof found>]>([
    // A tight book: its middle, whatever else is known.
    [
      'tight',
      { sides: { bid: 0.5, ask: 0.6 }, lastTrade: { price: 0.9 } },
      { price: 0.55, source: 'book', midpoint: 0.55 },
    ],
    ['tight in ten-thousandths', { sides: { bid: 0.7, ask: 0.8 } }, { price: 0.75, source: 'book', midpoint: 0.75 }],
    ['tight, bid alone', { sides: { bid: 0.93 } }, { price: 0.965, source: 'book', midpoint: 0.965 }],
    ['tight, ask alone', { sides: { ask: 0.004 } }, { price: 0.002, source: 'book', midpoint: 0.002 }],
    [
      'tight, finest tick',
      { sides: { bid: 0.0055, ask: 0.0056 } },
      { price: 0.00555, source: 'book', midpoint: 0.00555 },
    ],
    // A wide book: the last trade within the sides.
    [
      'wide, trade inside',
      { sides: { bid: 0.001, ask: 0.99 }, lastTrade: { price: 0.004 } },
      { price: 0.004, source: 'trade' },
    ],
    [
      'wide by a tick, trade below',
      { sides: { bid: 0.5, ask: 0.6001 }, lastTrade: { price: 0.4 } },
      { price: 0.5, source: 'trade' },
    ],
    [
      'wide, trade above',
      { sides: { bid: 0.5, ask: 0.8 }, lastTrade: { price: 0.9 } },
      { price: 0.8, source: 'trade' },
    ],
    ['bid alone, trade below', { sides: { bid: 0.3 }, lastTrade: { price: 0.1 } }, { price: 0.3, source: 'trade' }],
    ['ask alone, trade above', { sides: { ask: 0.3 }, lastTrade: { price: 0.7 } }, { price: 0.3, source: 'trade' }],
    [
      'wide, never traded',
      { sides: { bid: 0.1, ask: 0.9 }, lastTrade: {}, previous: BEFORE },
      { price: 0.93, source: 'carried' },
    ],
    [
      'wide, never traded, no volume',
      { sides: { bid: 0.1, ask: 0.9 }, lastTrade: {}, volume: 0 },
      { price: 0.25, source: 'catalogue' },
    ],
    // An empty book, or a token that the response does not name.
    ['empty, trade', { sides: {}, lastTrade: { price: 0.99 }, previous: BEFORE }, { price: 0.99, source: 'trade' }],
    ['empty, no trade', { sides: {}, lastTrade: {}, previous: BEFORE }, { price: 0.93, source: 'carried' }],
    ['empty, no trade, carried before', { sides: {}, lastTrade: {}, previous: CARRIED }, NEVER],
    ['empty, no trade, from the catalogue before', { sides: {}, lastTrade: {}, previous: FROM_CATALOGUE }, NEVER],
    ['empty, no trade, not listed before', { sides: {}, lastTrade: {} }, NEVER],
    [
      'empty, no trade, no volume',
      { sides: {}, lastTrade: {}, volume: 0, previous: BEFORE },
      { price: 0.25, source: 'catalogue' },
    ],
    [
      'empty, no volume, no catalogue',
      { sides: {}, lastTrade: {}, volume: 0, catalogue: {}, previous: BEFORE },
      { price: 0.93, source: 'carried' },
    ],
    // The call for last trades failed.
    ['wide, trades fail', { sides: { bid: 0.1, ask: 0.9 }, previous: BEFORE }, { price: 0.22, source: 'catalogue' }],
    [
      'wide, trades fail, catalogue outside',
      { sides: { bid: 0.6 }, previous: BEFORE },
      { price: 0.6, source: 'catalogue' },
    ],
    [
      'wide, trades fail, none in the catalogue',
      { sides: { bid: 0.6 }, catalogue: {}, previous: BEFORE },
      { price: 0.93, source: 'carried' },
    ],
    ['empty, trades fail', { sides: {}, previous: BEFORE }, { price: 0.93, source: 'carried' }],
    ['empty, trades fail, carried before', { sides: {}, previous: CARRIED }, NEVER],
    // The call for sides failed.
    ['failed', { previous: BEFORE }, { price: 0.93, source: 'carried', midpoint: 0.93 }],
    [
      'failed, no midpoint before',
      { previous: { currentProbability: 4.5, priceSource: 'trade' } },
      { price: 0.045, source: 'carried' },
    ],
    ['failed again', { previous: CARRIED }, { price: 0.25, source: 'catalogue', midpoint: 0.25 }],
    ['failed a third time', { previous: FROM_CATALOGUE }, { price: 0.25, source: 'catalogue', midpoint: 0.25 }],
    ['failed, not listed before', {}, { price: 0.25, source: 'catalogue', midpoint: 0.25 }],
    [
      'failed, wide catalogue',
      { catalogue: { bid: 0.3, ask: 0.9, lastTrade: 0.2, outcome: 0.6 } },
      { price: 0.3, source: 'catalogue' },
    ],
    [
      'failed, wide catalogue, no trade',
      { catalogue: { bid: 0.3, ask: 0.9, outcome: 0.6 } },
      { price: 0.6, source: 'catalogue' },
    ],
    [
      'failed, no sides in the catalogue',
      { catalogue: { lastTrade: 0.2, outcome: 0.6 } },
      { price: 0.6, source: 'catalogue' },
    ],
    ['failed, a trade alone', { catalogue: { lastTrade: 0.2 } }, { price: 0.2, source: 'catalogue' }],
    ['failed, empty catalogue', { catalogue: {} }, NEVER],
  ])('with a book that is %s', (_book, sources, expected) => {
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
