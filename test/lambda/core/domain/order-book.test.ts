// An order book has levels of bids and asks. Prices and sizes are decimal numbers as text, because
// the API passes them on as the upstream wrote them.

import { describe, expect, it } from '@jest/globals';
import {
  bestFirst,
  isDecimal,
  isPrice,
  type Level,
} from '../../../../lambda/core/domain/order-book.ts';
import { orderBook } from '../../../support/order-book.ts';

const prices = (levels: readonly Level[]) => levels.map(({ price }) => price);

describe('the best prices', () => {
  it('are compared as numbers, and keep their spelling [sentence 30]', () => {
    const bids = ['0.095', '0.9', '0.100', '0.50'];
    const asks = ['10', '0.10', '9'];
    const book = bestFirst(orderBook(bids, asks));
    expect(prices(book.bids)).toEqual(['0.9', '0.50', '0.100', '0.095']);
    expect(prices(book.asks)).toEqual(['0.10', '9', '10']);
  });

  it('keep the order of levels of equal price', () => {
    const bids = ['0.5', '0.500', '0.50'];
    const asks = ['0.500', '0.5'];
    const book = bestFirst(orderBook(bids, asks));
    expect(prices(book.bids)).toEqual(bids);
    expect(prices(book.asks)).toEqual(asks);
  });
});

describe('a decimal', () => {
  it.each(['0', '007', '.5', '0.50'])('can be %s', (text) => {
    expect(isDecimal(text)).toBe(true);
  });

  it.each(['', '.', '5.', '-1', '+1', '1e3', '0x1', '1.2.3', '1,5', '1_0', '.5a', 0.5, null])(
    'is not %p',
    (value) => {
      expect(isDecimal(value)).toBe(false);
    },
  );

  it.each([' 1', '1 ', '1\n'])('has no blank: %j', (text) => {
    expect(isDecimal(text)).toBe(false);
  });

  it.each(['٠', '١'])('has no digit of another script: %s', (text) => {
    expect(isDecimal(text)).toBe(false);
  });

  it('has at most 100 digits before the point and 100 after it', () => {
    const digits = '9'.repeat(100);
    for (const longest of [digits, `.${digits}`, `${digits}.${digits}`]) {
      expect(isDecimal(longest)).toBe(true);
    }
    for (const tooLong of [`9${digits}`, `.9${digits}`, `0.9${digits}`]) {
      expect(isDecimal(tooLong)).toBe(false);
    }
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
