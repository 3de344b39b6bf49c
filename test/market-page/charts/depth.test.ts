import { describe, expect, it } from '@jest/globals';
import { depthOf } from '../../../packages/market-page/src/charts/depth.ts';

const level = (price: number, size: number) => ({ price, size });
const rounded = (values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? null : Math.round(value * 100) / 100));

describe('the depth of an order book', () => {
  it('adds up both sides from the middle outwards, to the ends of the range', () => {
    const { prices, bids, asks, range } = depthOf([level(0.49, 10), level(0.47, 5)], [level(0.51, 20), level(0.53, 1)]);
    expect(rounded(range)).toEqual([47, 53]);
    expect(rounded(prices)).toEqual([47, 49, 51, 53]);
    expect(bids).toEqual([15, 10, null, null]);
    expect(asks).toEqual([null, null, 20, 21]);
  });

  it('has a minimum range, and the last level continues to its end', () => {
    const { prices, bids, asks, range } = depthOf([level(0.5, 10)], [level(0.51, 20)]);
    expect(rounded(range)).toEqual([48.5, 52.5]);
    expect(rounded(prices)).toEqual([48.5, 50, 51, 52.5]);
    expect(bids).toEqual([10, 10, null, null]);
    expect(asks).toEqual([null, null, 20, 20]);
  });

  it('stays within 0 and 100 cents', () => {
    const { range } = depthOf([level(0.005, 5)], [level(0.01, 1), level(0.5, 1)]);
    expect(range[0]).toBe(0);
    expect(depthOf([level(0.99, 1)], [level(0.999, 1)]).range[1]).toBe(100);
  });

  it('handles a book with one side, and omits levels far away', () => {
    expect(depthOf([], [level(0.6, 3)]).bids).toEqual([null, null]);
    const far = [...Array.from({ length: 20 }, (_, n) => level(0.51 + n / 100, 1)), level(0.99, 9_000)];
    const { asks } = depthOf([level(0.5, 1)], far);
    expect(Math.max(...asks.map(Number))).toBeLessThan(20);
  });

  it('reaches two cents to both sides of a narrow book, and 15 levels of a wide one', () => {
    const narrow = depthOf([level(0.5, 1)], [level(0.502, 1)]).range;
    expect(rounded([...narrow])).toEqual([48.1, 52.1]);
    const deep = Array.from({ length: 20 }, (_, n) => level(0.52 + n / 100, 1));
    expect(rounded([...depthOf([level(0.5, 1)], deep).range])).toEqual([36, 66]);
  });

  it('is empty for an empty book', () => {
    expect(depthOf([], []).prices).toEqual([]);
  });
});
