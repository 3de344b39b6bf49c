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
    const book = bestFirst(orderBook(['0.095', '0.9', '0.100', '0.50'], ['10', '0.10', '9']));
    expect(prices(book.bids)).toEqual(['0.9', '0.50', '0.100', '0.095']);
    expect(prices(book.asks)).toEqual(['0.10', '9', '10']);
  });

  it('keep the order of levels of equal price', () => {
    const book = bestFirst(orderBook(['0.5', '0.500', '0.50'], ['0.500', '0.5']));
    expect(prices(book.bids)).toEqual(['0.5', '0.500', '0.50']);
    expect(prices(book.asks)).toEqual(['0.500', '0.5']);
  });
});

/** A decimal may have 100 digits before the point and 100 after it. */
const LONGEST = '9'.repeat(100);

describe('a decimal', () => {
  it.each(['0', '007', '.5', '0.50', LONGEST, `.${LONGEST}`, `${LONGEST}.${LONGEST}`])(
    'can be %s',
    (text) => {
      expect(isDecimal(text)).toBe(true);
    },
  );

  it.each([
    ...'| 1|5.|.|-1|+1|1e3|0x1|1.2.3|1,5|1_0|1 |1\n|.5a|٠|١'.split('|'),
    `${LONGEST}9`,
    `0.${LONGEST}9`,
    `.${LONGEST}9`,
    0.5,
    null,
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
