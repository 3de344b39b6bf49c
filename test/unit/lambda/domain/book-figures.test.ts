import { describe, expect, it } from '@jest/globals';
import { midpoint, price, spread } from '../../../../lambda/domain/book-figures.ts';
import type { OrderBook } from '../../../../lambda/domain/order-book.ts';
import { orderBook } from '../../../support/order-book.ts';

const EMPTY = orderBook();

describe('the midpoint of a book', () => {
  it.each<[string, OrderBook, string]>([
    ['lies halfway between best bid and best ask', orderBook(['0.45'], ['0.55']), '0.5'],
    [
      'is that of the best levels, wherever they stand',
      orderBook(['0.4', '0.44', '0.1'], ['0.9', '0.46']),
      '0.45',
    ],
    ['counts a missing bid as 0', orderBook([], ['0.6']), '0.3'],
    ['counts a missing ask as 1', orderBook(['0.4'], []), '0.7'],
    ['of an empty book is a half', EMPTY, '0.5'],
    ['is exact between two of the finest ticks', orderBook(['0.0001'], ['0.0002']), '0.00015'],
    ['of a price that binary numbers cannot hold is exact', orderBook(['0.1'], ['0.2']), '0.15'],
    ['reads a price without digits before the point', orderBook(['.5'], ['.500']), '0.5'],
    ['may be a whole number', orderBook(['1'], ['1.000']), '1'],
    ['keeps the zeros of a whole number', orderBook(['100'], ['100.0']), '100'],
    ['of nothing but zeros is 0', orderBook(['0'], ['0.00']), '0'],
  ])('%s', (_name, given, expected) => {
    expect(midpoint(given)).toBe(expected);
  });
});

describe('the spread of a book', () => {
  it.each<[string, OrderBook, string]>([
    ['is best ask minus best bid', orderBook(['0.44', '0.45'], ['0.9', '0.55']), '0.1'],
    ['counts a missing bid as 0', orderBook([], ['0.6']), '0.6'],
    ['counts a missing ask as 1', orderBook(['0.4'], []), '0.6'],
    ['of an empty book is 1', EMPTY, '1'],
    ['of a book whose sides meet is 0', orderBook(['0.5'], ['0.50']), '0'],
    ['of a crossed book is negative', orderBook(['0.6'], ['0.55']), '-0.05'],
    [
      'reads 20 digits after the point',
      orderBook(['0.1'], [`0.1${'0'.repeat(18)}1`]),
      `0.${'0'.repeat(19)}1`,
    ],
    ['reads no digit beyond them', orderBook(['0.1'], [`0.1${'0'.repeat(19)}9`]), '0'],
  ])('%s', (_name, given, expected) => {
    expect(spread(given)).toBe(expected);
  });
});

describe('the price of a side', () => {
  const both = orderBook(['0.1', '0.450'], ['0.9', '0.55']);

  it.each<[string, OrderBook, 'BUY' | 'SELL', string]>([
    ['to BUY is the best bid', both, 'BUY', '0.45'],
    ['to SELL is the best ask', both, 'SELL', '0.55'],
    ['to BUY is 0 without a bid', orderBook([], ['0.55']), 'BUY', '0'],
    ['to SELL is 0 without an ask', orderBook(['0.45'], []), 'SELL', '0'],
  ])('%s', (_name, given, name, expected) => {
    expect(price(given, name)).toBe(expected);
  });
});
