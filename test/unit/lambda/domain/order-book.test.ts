import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bestFirst, cutDepth, type Level, type OrderBook } from '../../../../lambda/domain/order-book.ts';
import { orderBook } from '../../../support/order-book.ts';
import { readRecording, withRecordings } from '../../../support/recordings.ts';

const prices = (levels: readonly Level[]) => levels.map(({ price }) => price);

describe('best first', () => {
  it.each([
    ['as upstream sends it', ['0.01', '0.09', '0.1', '0.5'], ['0.99', '0.6', '0.51']],
    ['as upstream says it sends it', ['0.5', '0.1', '0.09', '0.01'], ['0.51', '0.6', '0.99']],
    ['in no order', ['0.1', '0.5', '0.01', '0.09'], ['0.6', '0.99', '0.51']],
  ])('%s', (_, bids, asks) => {
    const book = bestFirst(orderBook(bids, asks));
    expect(prices(book.bids)).toEqual(['0.5', '0.1', '0.09', '0.01']);
    expect(prices(book.asks)).toEqual(['0.51', '0.6', '0.99']);
  });

  it('compares numbers and not texts, and leaves the strings as they are', () => {
    const book = bestFirst(orderBook(['0.9', '0.50', '0.100', '0.095'], ['10', '9', '0.10']));
    expect(prices(book.bids)).toEqual(['0.9', '0.50', '0.100', '0.095']);
    expect(prices(book.asks)).toEqual(['0.10', '9', '10']);
  });

  it('keeps the order of levels of equal price', () => {
    const book = bestFirst(orderBook(['0.5', '0.500', '0.50'], ['0.500', '0.5']));
    expect(prices(book.bids)).toEqual(['0.5', '0.500', '0.50']);
    expect(prices(book.asks)).toEqual(['0.500', '0.5']);
  });

  it('keeps every field, known or not, and the order of the fields', () => {
    const level = { orders: 3, price: '0.5', size: '1', extra: { a: null } };
    const text = JSON.stringify({
      market: '0x1',
      asks: [],
      new_field: [1, { x: null }],
      bids: [level],
      neg_risk: false,
    });
    expect(JSON.stringify(bestFirst(JSON.parse(text)))).toBe(text);
  });

  it('does not change what it was given', () => {
    const book: OrderBook = orderBook(['0.1', '0.2'], ['0.4', '0.3']);
    bestFirst(book);
    expect(prices(book.bids)).toEqual(['0.1', '0.2']);
    expect(prices(book.asks)).toEqual(['0.4', '0.3']);
  });

  it('sorts any book and loses no level', () => {
    const sides = fc.array(
      fc.record({ price: fc.stringMatching(/^[01]\.[0-9]{1,6}$/), size: fc.constant('1') }),
    );
    fc.assert(
      fc.property(sides, sides, (bids, asks) => {
        const book = bestFirst({ bids, asks });
        for (const [found, given, sign] of [
          [book.bids, bids, -1],
          [book.asks, asks, 1],
        ] as const) {
          const numbers = prices(found).map(Number);
          expect(numbers).toEqual(numbers.toSorted((a, b) => sign * (a - b)));
          expect(prices(found).toSorted()).toEqual(prices(given).toSorted());
        }
      }),
    );
  });
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

describe('recorded books', () => {
  withRecordings('come out with the best prices first and nothing else changed', () => {
    for (const file of ['books/two-sided.json', 'books/one-sided.json']) {
      const recorded = readRecording<OrderBook>(file);
      const book = bestFirst(recorded);
      expect(JSON.stringify(book)).toBe(
        JSON.stringify({ ...recorded, bids: recorded.bids.toReversed(), asks: recorded.asks.toReversed() }),
      );
    }
  });
});
