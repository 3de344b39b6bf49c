import { describe, expect, it } from '@jest/globals';
import {
  bookSides,
  type PreviousPrice,
  type PriceSources,
  priceOf,
} from '../../../../lambda/core/domain/price.ts';

/** Unix ms. The catalogue's page was read before the previous run read CLOB. */
const CATALOGUE_AT = 800_000;
const PREVIOUS_AT = 940_000;
const NOW = 1_000_000;
const TIME_NAMES: Readonly<Record<number, string>> = {
  [CATALOGUE_AT]: 'the page',
  [PREVIOUS_AT]: 'the previous run',
  [NOW]: 'this run',
};

/** A market for which CLOB was not read. The tests add what was. */
const UNREAD: PriceSources = {
  asOf: NOW,
  sides: undefined,
  lastTrade: undefined,
  catalogue: { bid: 0.2, ask: 0.3, lastTrade: 0.22, outcome: 0.25 },
  cataloguePricesAsOf: CATALOGUE_AT,
  volume: 1_000,
};

/** The price 0.93 of a tight book in the previous snapshot. */
const PREVIOUS: PreviousPrice = {
  currentProbability: 93,
  midpoint: 0.93,
  priceSource: 'book',
  bestBid: 0.92,
  bestAsk: 0.94,
  pricedAt: PREVIOUS_AT,
};
/** The same price after it was carried once. */
const CARRIED: PreviousPrice = { ...PREVIOUS, priceSource: 'carried' };
/** Prices that the previous snapshot took from the catalogue, by the page that had them. */
const FROM_THIS_PAGE: PreviousPrice = {
  ...PREVIOUS,
  priceSource: 'catalogue',
  pricedAt: CATALOGUE_AT,
};
const FROM_THIS_PAGE_DATED_LATER = { ...FROM_THIS_PAGE, pricedAt: CATALOGUE_AT + 900 };
const FROM_A_NEWER_PAGE = { ...FROM_THIS_PAGE, pricedAt: PREVIOUS_AT };

/** A price as text, for example "0.55 book, of this run, midpoint 0.55". */
function shown(sources: Partial<PriceSources>): string {
  const found = priceOf({ ...UNREAD, ...sources });
  if (!found) return 'not listed';
  const price = `${found.price} ${found.priceSource}, of ${TIME_NAMES[found.pricedAt]}`;
  return found.midpoint === undefined ? price : `${price}, midpoint ${found.midpoint}`;
}

describe('the price of a market with a tight book', () => {
  it.each([
    ['two sides', { bid: 0.5, ask: 0.6 }, 0.55],
    ['a spread of 0.8 − 0.7, which is above 0.10 in binary', { bid: 0.7, ask: 0.8 }, 0.75],
    ['a bid alone', { bid: 0.93 }, 0.965],
    ['an ask alone', { ask: 0.004 }, 0.002],
  ])('is its middle, even with a trade and a previous price: %s', (_sides, sides, middle) => {
    const expected = `${middle} book, of this run, midpoint ${middle}`;
    expect(shown({ sides })).toBe(expected);
    expect(shown({ sides, lastTrade: { price: 0.9 }, previous: PREVIOUS })).toBe(expected);
  });
});

describe('the price of a market with a wide or empty book', () => {
  /** A book is tight with a spread of at most 0.10. */
  const WIDE = { bid: 0.1, ask: 0.9 };
  /** The trade was read, and the market has none. `undefined` means that it was not read. */
  const NO_TRADE = {};
  const EMPTY_UNTRADED = { sides: {}, lastTrade: NO_TRADE };

  it.each([
    ['inside', WIDE, 0.4, 0.4],
    ['below a book that is too wide by a tick', { bid: 0.5, ask: 0.6001 }, 0.4, 0.5],
    ['above', { bid: 0.5, ask: 0.8 }, 0.9, 0.8],
    ['beside an empty book', {}, 0.99, 0.99],
  ])('is the last trade, moved within the sides: %s', (_place, sides, trade, price) => {
    const lastTrade = { price: trade };
    expect(shown({ sides, lastTrade, previous: PREVIOUS })).toBe(`${price} trade, of this run`);
  });

  it.each<[string, Partial<PriceSources>, string]>([
    ['wide', { sides: WIDE, previous: PREVIOUS }, '0.25 untraded, of the page'],
    ['outside', { sides: { bid: 0.5, ask: 0.9 } }, '0.5 untraded, of the page'],
    [
      'of the page that the previous snapshot had',
      { sides: WIDE, previous: FROM_THIS_PAGE_DATED_LATER },
      '0.25 untraded, of the page',
    ],
    [
      'of an older page than the previous snapshot had',
      { sides: WIDE, previous: FROM_A_NEWER_PAGE },
      '0.9 untraded, of the previous run',
    ],
    ['empty, no volume', { sides: {}, volume: 0 }, '0.25 untraded, of the page'],
    ['empty, no volume, no catalogue', { sides: {}, volume: 0, catalogue: {} }, 'not listed'],
  ])(
    "without a trade is the catalogue's outcome price of 0.25 within the sides: %s",
    (_case, sources, expected) => {
      expect(shown({ lastTrade: NO_TRADE, ...sources })).toBe(expected);
    },
  );

  it.each([
    ['from the book', PREVIOUS, '0.93 carried, of the previous run'],
    ['already carried', CARRIED, 'not listed'],
    ['from the catalogue', FROM_THIS_PAGE, 'not listed'],
  ])('that is empty without a trade is carried once: %s', (_source, previous, expected) => {
    expect(shown({ ...EMPTY_UNTRADED, previous })).toBe(expected);
  });

  it.each<[string, Partial<PriceSources>, string]>([
    ['previous', { sides: WIDE, previous: PREVIOUS }, '0.93 carried, of the previous run'],
    [
      'catalogue, if the previous price is older',
      { sides: WIDE, previous: { ...PREVIOUS, pricedAt: CATALOGUE_AT - 100_000 } },
      '0.22 catalogue, of the page',
    ],
    ['catalogue, without a previous one', { sides: { bid: 0.6 } }, '0.6 catalogue, of the page'],
    [
      'catalogue, if the previous price is from the same page',
      { sides: WIDE, previous: FROM_THIS_PAGE_DATED_LATER },
      '0.22 catalogue, of the page',
    ],
    [
      'previous, if the book is empty',
      { sides: {}, previous: CARRIED },
      '0.93 carried, of the previous run',
    ],
    [
      'neither, if the book is empty and the previous price from the catalogue',
      { sides: {}, previous: FROM_THIS_PAGE },
      'not listed',
    ],
  ])(
    "whose trade was not read is the newer of the previous price and the catalogue's 0.22: %s",
    (_which, sources, expected) => {
      expect(shown(sources)).toBe(expected);
    },
  );
});

describe('the price of a market with a book that was not read', () => {
  it.each([
    ['of a book', PREVIOUS, '0.93 carried, of the previous run, midpoint 0.93'],
    ['carried', CARRIED, '0.93 carried, of the previous run, midpoint 0.93'],
    [
      'older than the catalogue',
      { ...CARRIED, pricedAt: CATALOGUE_AT - 100_000 },
      '0.25 catalogue, of the page, midpoint 0.25',
    ],
    ['of the same page', FROM_THIS_PAGE, '0.25 catalogue, of the page, midpoint 0.25'],
    [
      'of the same page, dated later',
      FROM_THIS_PAGE_DATED_LATER,
      '0.25 catalogue, of the page, midpoint 0.25',
    ],
    ['of a newer page', FROM_A_NEWER_PAGE, '0.93 catalogue, of the previous run, midpoint 0.93'],
    ['absent', undefined, '0.25 catalogue, of the page, midpoint 0.25'],
  ])(
    "is the newer of the catalogue's and the previous price: %s",
    (_previous, previous, expected) => {
      expect(shown({ previous })).toBe(expected);
    },
  );

  it.each([
    ['the outcome price', { lastTrade: 0.2, outcome: 0.6 }, '0.6 catalogue, of the page'],
    ['the trade alone', { lastTrade: 0.2 }, '0.2 catalogue, of the page'],
    [
      'the trade within wide sides',
      { bid: 0.3, ask: 0.9, lastTrade: 0.22, outcome: 0.25 },
      '0.3 catalogue, of the page',
    ],
    ['none', {}, 'not listed'],
  ])('without a tight book in the catalogue is %s', (_price, catalogue, expected) => {
    expect(shown({ catalogue })).toBe(expected);
  });
});

describe('the quote beside a price', () => {
  /** The public fields of the sides and the last trade. */
  function quoteOf(sources: Partial<PriceSources>) {
    const { bestBid, bestAsk, spread, lastTradePrice } = priceOf({ ...UNREAD, ...sources }) ?? {};
    return { bestBid, bestAsk, spread, lastTradePrice };
  }

  it("is this run's, with the trade of the catalogue", () => {
    expect(quoteOf({ sides: { bid: 0.5, ask: 0.53 }, catalogue: { lastTrade: 0.22 } })).toEqual({
      bestBid: 0.5,
      bestAsk: 0.53,
      spread: 0.03,
      lastTradePrice: 0.22,
    });
  });

  it('has no sides for an empty book', () => {
    const sources = { sides: {}, lastTrade: { price: 0.3 }, previous: PREVIOUS };
    expect(quoteOf(sources)).toEqual({ lastTradePrice: 0.3 });
  });

  it('is that of the previous snapshot with its price', () => {
    const quote = { bestBid: 0.92, bestAsk: 0.94, spread: 0.02 };
    expect(quoteOf({ previous: { ...PREVIOUS, ...quote } })).toEqual(quote);
  });

  it('is that of the catalogue with its price', () => {
    const catalogue = { bid: 0.2, ask: 0.3, lastTrade: 0.22 };
    expect(quoteOf({ catalogue })).toEqual({
      bestBid: 0.2,
      bestAsk: 0.3,
      spread: 0.1,
      lastTradePrice: 0.22,
    });
  });
});

describe('the sides of a book', () => {
  it.each([
    ['both sides', 0.4, 0.6, { bid: 0.4, ask: 0.6 }],
    ['prices at the ends', 0, 1, {}],
    ['prices at the wrong ends', 1, 0, {}],
    ['no bid', undefined, 0.6, { ask: 0.6 }],
    ['crossed sides', 0.6, 0.4, { bid: 0.4, ask: 0.6 }],
  ])('for %s: bid %p, ask %p', (_case, bid, ask, expected) => {
    expect(bookSides(bid, ask)).toEqual(expected);
  });
});
