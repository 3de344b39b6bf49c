import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  bestFirst,
  cutDepth,
  isDecimal,
  isPrice,
  type Level,
  type OrderBook,
} from '../../../../lambda/core/domain/order-book.ts';
import { orderBook } from '../../../support/order-book.ts';
import { UPSTREAM_BOOKS } from '../../../support/upstream-records.ts';

const prices = (levels: readonly Level[]) => levels.map(({ price }) => price);

describe('the best prices', () => {
  it.each([
    ['upstream sends them', ['0.01', '0.09', '0.1', '0.5'], ['0.99', '0.6', '0.51']],
    ['upstream documents them', ['0.5', '0.1', '0.09', '0.01'], ['0.51', '0.6', '0.99']],
    ['in no order', ['0.1', '0.5', '0.01', '0.09'], ['0.6', '0.99', '0.51']],
  ])('come first when levels are as %s', (_, bids, asks) => {
    const book = bestFirst(orderBook(bids, asks));
    expect(prices(book.bids)).toEqual(['0.5', '0.1', '0.09', '0.01']);
    expect(prices(book.asks)).toEqual(['0.51', '0.6', '0.99']);
  });

  it('are compared as numbers, and keep their spelling', () => {
    const book = bestFirst(orderBook(['0.9', '0.50', '0.100', '0.095'], ['10', '9', '0.10']));
    expect(prices(book.bids)).toEqual(['0.9', '0.50', '0.100', '0.095']);
    expect(prices(book.asks)).toEqual(['0.10', '9', '10']);
  });

  it('keep the order of levels of equal price', () => {
    const book = bestFirst(orderBook(['0.5', '0.500', '0.50'], ['0.500', '0.5']));
    expect(prices(book.bids)).toEqual(['0.5', '0.500', '0.50']);
    expect(prices(book.asks)).toEqual(['0.500', '0.5']);
  });

  it('leave every field and the order of the fields as they are', () => {
    const level = { orders: 3, price: '0.5', size: '1', extra: { a: null } };
    const book = { market: '0x1', asks: [], new_field: [1, { x: null }], bids: [level], neg_risk: false };
    expect(JSON.stringify(bestFirst(book))).toBe(JSON.stringify(book));
  });

  it('do not change the given book', () => {
    const book: OrderBook = orderBook(['0.1', '0.2'], ['0.4', '0.3']);
    bestFirst(book);
    expect([prices(book.bids), prices(book.asks)]).toEqual([
      ['0.1', '0.2'],
      ['0.4', '0.3'],
    ]);
  });

  it.each(UPSTREAM_BOOKS.map((book) => [book.bids.length, book] as const))(
    'of a book of upstream with %i bids come first, and nothing else changes',
    (_, book) => {
      const reversed = { ...book, bids: book.bids.toReversed(), asks: book.asks.toReversed() };
      expect(JSON.stringify(bestFirst(book))).toBe(JSON.stringify(reversed));
    },
  );
});

describe('the depth', () => {
  const book = bestFirst(orderBook(['0.1', '0.2', '0.3'], ['0.6', '0.5'], { hash: 'h' }));

  it.each([
    [1, ['0.3'], ['0.5']],
    [2, ['0.3', '0.2'], ['0.5', '0.6']],
    [Number.MAX_SAFE_INTEGER, ['0.3', '0.2', '0.1'], ['0.5', '0.6']],
    [undefined, ['0.3', '0.2', '0.1'], ['0.5', '0.6']],
  ])('%p cuts both sides', (depth, bids, asks) => {
    const cut = cutDepth(book, depth);
    expect([prices(cut.bids), prices(cut.asks), cut.hash]).toEqual([bids, asks, 'h']);
  });
});

const LONGEST = '9'.repeat(100);

describe('a decimal', () => {
  const digits = (min: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: 100 }).map((list) => list.join(''));

  it('has up to 100 digits on each side of the point', () => {
    fc.assert(
      fc.property(digits(1), digits(1), (whole, fraction) => {
        const texts = [whole, `.${fraction}`, `${whole}.${fraction}`];
        expect(texts.filter((text) => !isDecimal(text))).toEqual([]);
      }),
      { examples: [[LONGEST, LONGEST]] },
    );
  });

  it('has no other character', () => {
    fc.assert(
      fc.property(digits(0), fc.string({ minLength: 1, maxLength: 3 }), digits(0), (before, other, after) => {
        fc.pre(!/^\d*\.?\d*$/.test(other));
        expect([other, isDecimal(`${before}${other}${after}`)]).toEqual([other, false]);
      }),
    );
  });

  it.each([
    ...[
      '',
      ' 1',
      '5.',
      '.',
      '-1',
      '1e3',
      '0x1',
      '1.2.3',
      '١',
      `${LONGEST}9`,
      `0.${LONGEST}9`,
      `.${LONGEST}9`,
      0.5,
      null,
    ],
  ])('is not %p', (value) => {
    expect(isDecimal(value)).toBe(false);
  });
});

describe('a price', () => {
  it.each(['0', '.5', '0.0025', '1', '1.000'])('is %s', (text) => {
    expect(isPrice(text)).toBe(true);
  });

  it.each(['1.01', '17', '-0.5', '1e-3', '', 0.5, true])('is not %p', (value) => {
    expect(isPrice(value)).toBe(false);
  });
});
