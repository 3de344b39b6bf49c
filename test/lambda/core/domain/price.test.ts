// `priceOf` chooses the price of a market from up to four sources: its order book and its last
// trade, which a run reads from CLOB, a page of the catalogue, which can be minutes old, and the
// price of the previous snapshot. A price names its source: `book`, `trade`, `catalogue`, `carried`
// (from the previous snapshot), or `untraded` (the catalogue's outcome price, without a trade).
// Each `describe` has one state of the book: tight (a spread of at most 0.10), wide, empty, or not
// read.

import { describe, expect, it } from '@jest/globals';
import {
  type PreviousPrice,
  type PriceSources,
  priceOf,
} from '../../../../lambda/core/domain/price.ts';
import { bookSides } from '../../../../lambda/core/domain/quote.ts';

/** When prices were read, in Unix ms. The catalogue's page is older than both runs. */
const PAGE = 800_000;
const PREVIOUS_RUN = 940_000;
const THIS_RUN = 1_000_000;
/** A run dates a page to the second. Two dates of one page differ by less than 5 s. */
const SAME_PAGE_DATED_LATER = PAGE + 4_999;
const NEWER_PAGE = PAGE + 5_000;
const TIME_NAMES: Readonly<Record<number, string>> = {
  [PAGE]: 'the page',
  [NEWER_PAGE]: 'the newer page',
  [PREVIOUS_RUN]: 'the previous run',
  [THIS_RUN]: 'this run',
};

/** The price by these sources. Without others, CLOB was not read, and the catalogue is empty. */
const priceBy = (sources: Partial<PriceSources>) =>
  priceOf({
    asOf: THIS_RUN,
    sides: undefined,
    lastTrade: undefined,
    catalogue: {},
    cataloguePricesAsOf: PAGE,
    volume: 1_000,
    ...sources,
  });

/** The price, its source and its time as text, for example "0.55 book, of this run". */
function shown(sources: Partial<PriceSources>): string {
  const found = priceBy(sources);
  if (!found) return 'not listed';
  return `${found.price} ${found.priceSource}, of ${TIME_NAMES[found.pricedAt]}`;
}

/** The price of the previous snapshot: 0.93, with its source and the time when it was read. */
function previously(
  priceSource: PreviousPrice['priceSource'],
  pricedAt = PREVIOUS_RUN,
): PreviousPrice {
  return { currentProbability: 93, priceSource, pricedAt };
}

/** CLOB was read and has no trade. A last trade that is `undefined` was not read. */
const NO_TRADE = {};

describe('with a tight book, the price', () => {
  // A missing bid counts as 0, and a missing ask as 1.
  it.each([
    ['two sides', { bid: 0.5, ask: 0.6 }, 0.55],
    ['a spread of 0.8 − 0.7, which is above 0.10 in binary', { bid: 0.7, ask: 0.8 }, 0.75],
    ['a bid alone', { bid: 0.93 }, 0.965],
    ['an ask alone', { ask: 0.004 }, 0.002],
  ])('is its middle: %s', (_sides, sides, middle) => {
    const price = { price: middle, midpoint: middle, priceSource: 'book', pricedAt: THIS_RUN };
    expect(priceBy({ sides })).toMatchObject(price);
  });

  it('is its middle, even with a last trade and a previous price', () => {
    const previous = previously('book');
    const found = shown({ sides: { bid: 0.5, ask: 0.6 }, lastTrade: { price: 0.9 }, previous });
    expect(found).toBe('0.55 book, of this run');
  });
});

describe('with a wide or empty book and a last trade, the price', () => {
  it.each([
    { place: 'within the sides', sides: { bid: 0.1, ask: 0.9 }, trade: 0.4, price: 0.4 },
    { place: 'below sides 0.1001 apart', sides: { bid: 0.5, ask: 0.6001 }, trade: 0.4, price: 0.5 },
    { place: 'above the sides', sides: { bid: 0.5, ask: 0.8 }, trade: 0.9, price: 0.8 },
    { place: 'without sides', sides: {}, trade: 0.99, price: 0.99 },
  ])('is the trade, moved into the sides: a trade $place', ({ sides, trade, price }) => {
    const found = shown({ sides, lastTrade: { price: trade }, previous: previously('book') });
    expect(found).toBe(`${price} trade, of this run`);
  });
});

describe('with a wide book and no trade, the price', () => {
  const UNTRADED = { lastTrade: NO_TRADE, catalogue: { outcome: 0.25 } };

  it.each([
    ['as it is', { bid: 0.1, ask: 0.9 }, 0.25],
    ['moved into the sides', { bid: 0.5, ask: 0.9 }, 0.5],
  ])("is the catalogue's outcome price, %s", (_place, sides, price) => {
    const found = shown({ ...UNTRADED, sides, previous: previously('book') });
    expect(found).toBe(`${price} untraded, of the page`);
  });

  it('is that of the newer page, if the previous snapshot had a newer page', () => {
    const previous = previously('untraded');
    const found = shown({ ...UNTRADED, sides: { bid: 0.1, ask: 0.95 }, previous });
    expect(found).toBe('0.93 untraded, of the previous run');
  });

  it("is that of this run's page, if the previous snapshot had the same page, dated later", () => {
    const previous = previously('untraded', SAME_PAGE_DATED_LATER);
    const found = shown({ ...UNTRADED, sides: { bid: 0.1, ask: 0.9 }, previous });
    expect(found).toBe('0.25 untraded, of the page');
  });
});

describe('with an empty or one-sided book and no trade, the price', () => {
  const EMPTY = { sides: {}, lastTrade: NO_TRADE, catalogue: { outcome: 0.25 } };
  /** One side that is wide, because the missing ask counts as 1. */
  const ONE_SIDED = { ...EMPTY, sides: { bid: 0.5 } };

  it("is the catalogue's outcome price if the market never had volume", () => {
    expect(shown({ ...EMPTY, volume: 0 })).toBe('0.25 untraded, of the page');
    expect(shown({ ...EMPTY, volume: 0, catalogue: {} })).toBe('not listed');
  });

  it.each<[origin: string, previous: PreviousPrice, expected: string]>([
    ['a book', previously('book'), '0.93 carried, of the previous run'],
    ['a trade', previously('trade'), '0.93 carried, of the previous run'],
    ['a price that was already carried', previously('carried'), 'not listed'],
    ['the catalogue', previously('catalogue', PAGE), 'not listed'],
  ])(
    'is the previous one, for one snapshot, if it came from CLOB: from %s',
    (_origin, previous, expected) => {
      expect(shown({ ...EMPTY, previous })).toBe(expected);
      expect(shown({ ...ONE_SIDED, previous })).toBe(expected);
    },
  );
});

describe('with a book that is not tight and a trade that was not read, the price', () => {
  const WIDE = { sides: { bid: 0.1, ask: 0.9 }, catalogue: { lastTrade: 0.22 } };

  // A price of the catalogue is moved into the sides, so that 0.93 becomes 0.9.
  it.each<[age: string, previous: PreviousPrice, expected: string]>([
    ['a newer price', previously('book'), '0.93 carried, of the previous run'],
    ['an older price', previously('book', PAGE - 100_000), '0.22 catalogue, of the page'],
    ['one of a newer page', previously('catalogue'), '0.9 catalogue, of the previous run'],
    [
      'one of the same page, dated later',
      previously('catalogue', SAME_PAGE_DATED_LATER),
      '0.22 catalogue, of the page',
    ],
  ])(
    "is the newer of the previous price and the catalogue's trade: %s",
    (_age, previous, expected) => {
      expect(shown({ ...WIDE, previous })).toBe(expected);
    },
  );

  it("is the catalogue's trade, moved into the sides, without a previous price", () => {
    const found = shown({ ...WIDE, sides: { bid: 0.6 } });
    expect(found).toBe('0.6 catalogue, of the page');
  });

  it('ignores the trade of the catalogue if the book is empty', () => {
    const found = shown({ ...WIDE, sides: {}, previous: previously('carried') });
    expect(found).toBe('0.93 carried, of the previous run');
    expect(shown({ ...WIDE, sides: {} })).toBe('not listed');
  });
});

describe('with a book that was not read, the price', () => {
  it.each<[origin: string, previous: PreviousPrice, expected: string]>([
    ['a book', previously('book'), '0.93 carried, of the previous run'],
    ['a carried price', previously('carried'), '0.93 carried, of the previous run'],
    ['an older price', previously('carried', PAGE - 100_000), '0.25 catalogue, of the page'],
    ['an equally old price of CLOB', previously('carried', PAGE), '0.93 carried, of the page'],
    ['a newer page', previously('catalogue', NEWER_PAGE), '0.93 catalogue, of the newer page'],
    [
      'the same page, dated later',
      previously('catalogue', SAME_PAGE_DATED_LATER),
      '0.25 catalogue, of the page',
    ],
  ])(
    "is the newer of the catalogue's and the previous price: one of %s",
    (_origin, previous, expected) => {
      expect(shown({ catalogue: { outcome: 0.25 }, previous })).toBe(expected);
    },
  );

  it.each([
    ['the middle of a tight book', { bid: 0.2, ask: 0.3, lastTrade: 0.22, outcome: 0.6 }, 0.25],
    ['the trade within wide sides', { bid: 0.3, ask: 0.9, lastTrade: 0.22, outcome: 0.6 }, 0.3],
    ['the outcome price', { lastTrade: 0.2, outcome: 0.6 }, 0.6],
    ['the trade alone', { lastTrade: 0.2 }, 0.2],
  ])("is, of the catalogue's prices, %s", (_price, catalogue, price) => {
    expect(shown({ catalogue })).toBe(`${price} catalogue, of the page`);
  });

  it('is unknown if nothing has one', () => {
    expect(shown({})).toBe('not listed');
  });
});

// The quote of a market: its best bid, its best ask and what follows from them.
describe('the quote beside a price', () => {
  /** The public fields of the sides and the last trade. */
  function quoteOf(sources: Partial<PriceSources>) {
    const { midpoint, bestBid, bestAsk, spread, lastTradePrice } = priceBy(sources) ?? {};
    return { midpoint, bestBid, bestAsk, spread, lastTradePrice };
  }

  it("has this run's sides and the trade of the catalogue", () => {
    const sources = { sides: { bid: 0.5, ask: 0.53 }, catalogue: { lastTrade: 0.22 } };
    const quote = { midpoint: 0.515, bestBid: 0.5, bestAsk: 0.53, spread: 0.03 };
    expect(quoteOf(sources)).toEqual({ ...quote, lastTradePrice: 0.22 });
  });

  it('has the sides of a wide book', () => {
    const sources = { sides: { bid: 0.1, ask: 0.9 }, lastTrade: NO_TRADE };
    const quote = { bestBid: 0.1, bestAsk: 0.9, spread: 0.8 };
    expect(quoteOf({ ...sources, catalogue: { outcome: 0.25 } })).toEqual(quote);
  });

  it('has no sides for an empty book', () => {
    const previous = { ...previously('book'), bestBid: 0.92 };
    const sources = { sides: {}, lastTrade: { price: 0.3 }, previous };
    expect(quoteOf(sources)).toEqual({ lastTradePrice: 0.3 });
  });

  it('is that of the previous snapshot with its price', () => {
    const quote = { midpoint: 0.93, bestBid: 0.92, bestAsk: 0.94, spread: 0.02 };
    const previous = { ...previously('book'), ...quote };
    expect(quoteOf({ previous })).toEqual(quote);
  });

  it('is that of the catalogue with its price', () => {
    const catalogue = { bid: 0.2, ask: 0.3, lastTrade: 0.22 };
    const quote = { midpoint: 0.25, bestBid: 0.2, bestAsk: 0.3, spread: 0.1 };
    expect(quoteOf({ catalogue })).toEqual({ ...quote, lastTradePrice: 0.22 });
  });
});

// `bookSides` leaves out prices that are not between 0 and 1, and exchanges crossed sides.
describe('the sides of a book', () => {
  it.each([
    ['both sides', 0.4, 0.6, { bid: 0.4, ask: 0.6 }],
    ['prices that are not between 0 and 1', 0, 1, {}],
    ['such prices, crossed', 1, 0, {}],
    ['no bid', undefined, 0.6, { ask: 0.6 }],
    ['crossed sides', 0.6, 0.4, { bid: 0.4, ask: 0.6 }],
  ])('of %s: a bid of %p and an ask of %p', (_case, bid, ask, expected) => {
    expect(bookSides(bid, ask)).toEqual(expected);
  });
});
