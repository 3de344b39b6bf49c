import { describe, expect, it } from '@jest/globals';
import type { CataloguePrices } from '../../../../lambda/core/domain/market.ts';
import {
  bookSides,
  type PreviousPrice,
  type PriceSources,
  priceOf,
} from '../../../../lambda/core/domain/price.ts';

const AS_OF = 1_000_000;
/** The catalogue is older than a price of the previous snapshot, unless a row says otherwise. */
const CATALOGUE_AT = AS_OF - 200_000;
const KEPT_AT = AS_OF - 60_000;
const OLD = AS_OF - 300_000;
const CATALOGUE: CataloguePrices = { bid: 0.2, ask: 0.3, lastTrade: 0.22, outcome: 0.25 };
const BEFORE: PreviousPrice = {
  currentProbability: 93,
  midpoint: 0.93,
  priceSource: 'book',
  bestBid: 0.92,
  bestAsk: 0.94,
  pricedAt: KEPT_AT,
};
const CARRIED: PreviousPrice = { ...BEFORE, priceSource: 'carried' };
const FROM_CATALOGUE: PreviousPrice = {
  ...BEFORE,
  priceSource: 'catalogue',
  pricedAt: CATALOGUE_AT,
};
const FROM_NEWER_PAGE: PreviousPrice = { ...FROM_CATALOGUE, pricedAt: KEPT_AT };
/** The same page, which another run dated later. */
const FROM_SAME_PAGE: PreviousPrice = { ...FROM_CATALOGUE, pricedAt: CATALOGUE_AT + 900 };
const TIMES: Readonly<Record<number, string>> = {
  [AS_OF]: 'now',
  [KEPT_AT]: 'before',
  [CATALOGUE_AT]: 'crawl',
};
const REST = {
  asOf: AS_OF,
  sides: undefined,
  lastTrade: undefined,
  catalogue: CATALOGUE,
  volume: 1_000,
};

const WIDE = { bid: 0.1, ask: 0.9 };

describe('the price of a market', () => {
  // A row ends with the price, its source, its time and, after a slash, the midpoint. Without a
  // price, it is empty.
  it.each<[string, Partial<PriceSources>, string]>([
    // A tight book: its middle, whatever else is known.
    ['tight', { sides: { bid: 0.5, ask: 0.6 }, lastTrade: { price: 0.9 } }, '0.55 book now / 0.55'],
    ['tight in ten-thousandths', { sides: { bid: 0.7, ask: 0.8 } }, '0.75 book now / 0.75'],
    ['tight, bid alone', { sides: { bid: 0.93 } }, '0.965 book now / 0.965'],
    ['tight, ask alone', { sides: { ask: 0.004 } }, '0.002 book now / 0.002'],
    // A wide book: the last trade within the sides.
    [
      'wide, trade inside',
      { sides: WIDE, lastTrade: { price: 0.4 }, previous: BEFORE },
      '0.4 trade now',
    ],
    [
      'wide by a tick, trade below',
      { sides: { bid: 0.5, ask: 0.6001 }, lastTrade: { price: 0.4 } },
      '0.5 trade now',
    ],
    [
      'wide, trade above',
      { sides: { bid: 0.5, ask: 0.8 }, lastTrade: { price: 0.9 } },
      '0.8 trade now',
    ],
    ['empty, trade', { sides: {}, lastTrade: { price: 0.99 }, previous: BEFORE }, '0.99 trade now'],
    // CLOB knows no trade: the outcome price of the catalogue within the sides.
    ['wide, untraded', { sides: WIDE, lastTrade: {}, previous: BEFORE }, '0.25 untraded crawl'],
    [
      'wide, untraded, outside',
      { sides: { bid: 0.5, ask: 0.9 }, lastTrade: {} },
      '0.5 untraded crawl',
    ],
    [
      'wide, untraded, same page',
      { sides: WIDE, lastTrade: {}, previous: FROM_SAME_PAGE },
      '0.25 untraded crawl',
    ],
    [
      'wide, untraded, newer page',
      { sides: WIDE, lastTrade: {}, previous: FROM_NEWER_PAGE },
      '0.9 untraded before',
    ],
    ['empty, untraded, no volume', { sides: {}, lastTrade: {}, volume: 0 }, '0.25 untraded crawl'],
    ['empty, untraded', { sides: {}, lastTrade: {}, previous: BEFORE }, '0.93 carried before'],
    ['empty, untraded, carried before', { sides: {}, lastTrade: {}, previous: CARRIED }, ''],
    [
      'empty, untraded, from the catalogue before',
      { sides: {}, lastTrade: {}, previous: FROM_CATALOGUE },
      '',
    ],
    ['empty, no volume, no catalogue', { sides: {}, lastTrade: {}, volume: 0, catalogue: {} }, ''],
    // The last trade was not read: the newer of the previous price and the catalogue's trade.
    ['wide, trade unread', { sides: WIDE, previous: BEFORE }, '0.93 carried before'],
    [
      'wide, trade unread, old',
      { sides: WIDE, previous: { ...BEFORE, pricedAt: OLD } },
      '0.22 catalogue crawl',
    ],
    ['wide, trade unread, new', { sides: { bid: 0.6 } }, '0.6 catalogue crawl'],
    [
      'wide, trade unread, from the same page',
      { sides: WIDE, previous: FROM_SAME_PAGE },
      '0.22 catalogue crawl',
    ],
    ['empty, trade unread', { sides: {}, previous: CARRIED }, '0.93 carried before'],
    ['empty, trade unread, from the catalogue before', { sides: {}, previous: FROM_CATALOGUE }, ''],
    // The book was not read: the newer of the previous price and the catalogue's.
    ['unread', { previous: BEFORE }, '0.93 carried before / 0.93'],
    ['unread again', { previous: CARRIED }, '0.93 carried before / 0.93'],
    ['unread, old', { previous: { ...CARRIED, pricedAt: OLD } }, '0.25 catalogue crawl / 0.25'],
    [
      'unread, from the catalogue before',
      { previous: FROM_CATALOGUE },
      '0.25 catalogue crawl / 0.25',
    ],
    ['unread, from the same page', { previous: FROM_SAME_PAGE }, '0.25 catalogue crawl / 0.25'],
    ['unread, from a newer page', { previous: FROM_NEWER_PAGE }, '0.93 catalogue before / 0.93'],
    ['unread, new', {}, '0.25 catalogue crawl / 0.25'],
    [
      'unread, wide catalogue',
      { catalogue: { ...CATALOGUE, bid: 0.3, ask: 0.9 } },
      '0.3 catalogue crawl',
    ],
    ['unread, no sides', { catalogue: { lastTrade: 0.2, outcome: 0.6 } }, '0.6 catalogue crawl'],
    ['unread, a trade alone', { catalogue: { lastTrade: 0.2 } }, '0.2 catalogue crawl'],
    ['unread, empty catalogue', { catalogue: {} }, ''],
  ])('with a book that is %s', (_book, sources, expected) => {
    const found = priceOf({ ...REST, cataloguePricesAsOf: CATALOGUE_AT, ...sources });
    const time = found && TIMES[found.pricedAt];
    const midpoint = found?.midpoint === undefined ? '' : ` / ${found.midpoint}`;
    expect(found ? `${found.price} ${found.priceSource} ${time}${midpoint}` : '').toBe(expected);
  });

  const NOW_SIDES = { bestBid: 0.5, bestAsk: 0.53, spread: 0.03, lastTradePrice: 0.22 };
  const OLD_SIDES = { bestBid: 0.92, bestAsk: 0.94, spread: 0.02 };
  const CATALOGUE_SIDES = { bestBid: 0.2, bestAsk: 0.3, spread: 0.1, lastTradePrice: 0.22 };

  it.each<[string, Partial<PriceSources>, object]>([
    ['of this run', { sides: { bid: 0.5, ask: 0.53 } }, NOW_SIDES],
    [
      'absent for an empty book',
      { sides: {}, lastTrade: { price: 0.3 }, previous: BEFORE },
      { lastTradePrice: 0.3 },
    ],
    ['of the snapshot before with its price', { previous: { ...BEFORE, spread: 0.02 } }, OLD_SIDES],
    ["the catalogue's with its price", {}, CATALOGUE_SIDES],
  ])('has sides that are %s', (_which, sources, expected) => {
    const found = priceOf({ ...REST, cataloguePricesAsOf: CATALOGUE_AT, ...sources });
    const {
      price: _,
      priceSource: _source,
      midpoint: _midpoint,
      pricedAt: _pricedAt,
      ...quote
    } = { ...found };
    expect(quote).toEqual(expected);
  });
});

describe('the sides of a book', () => {
  it.each([
    [0.4, 0.6, { bid: 0.4, ask: 0.6 }],
    [0, 1, {}],
    [1, 0, {}],
    [undefined, 0.6, { ask: 0.6 }],
    [0.6, 0.4, { bid: 0.4, ask: 0.6 }],
  ])('with a bid of %p and an ask of %p', (bid, ask, expected) => {
    expect(bookSides(bid, ask)).toEqual(expected);
  });
});
