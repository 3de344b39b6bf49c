import { describe, expect, it } from '@jest/globals';
import { depthOf } from '../../src/charts/depth.ts';

const level = (price: number, size: number) => ({ price, size });
const rounded = (values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? null : Math.round(value * 100) / 100));

describe('the depth of a book', () => {
  it('cumulates both sides from the middle outwards, prices ascending, up to the ends of what is drawn', () => {
    const { prices, bids, asks, range } = depthOf(
      [level(0.49, 10), level(0.47, 5)],
      [level(0.51, 20), level(0.53, 1)],
    );
    expect(rounded(range)).toEqual([47, 53]);
    expect(rounded(prices)).toEqual([47, 49, 51, 53]);
    expect(bids).toEqual([15, 10, null, null]);
    expect(asks).toEqual([null, null, 20, 21]);
  });

  it('shows a quiet book with room around it, the last level going on to the end', () => {
    const { prices, bids, asks, range } = depthOf([level(0.5, 10)], [level(0.51, 20)]);
    expect(rounded(range)).toEqual([48.5, 52.5]);
    expect(rounded(prices)).toEqual([48.5, 50, 51, 52.5]);
    expect(bids).toEqual([10, 10, null, null]);
    expect(asks).toEqual([null, null, 20, 20]);
  });

  it('never goes beyond what a price can be', () => {
    const { range } = depthOf([level(0.005, 5)], [level(0.01, 1), level(0.5, 1)]);
    expect(range[0]).toBe(0);
    expect(depthOf([level(0.99, 1)], [level(0.999, 1)]).range[1]).toBe(100);
  });

  it('draws one side when there is only one, and leaves out what lies far away', () => {
    expect(depthOf([], [level(0.6, 3)]).bids).toEqual([null, null]);
    const far = [...Array.from({ length: 20 }, (_, n) => level(0.51 + n / 100, 1)), level(0.99, 9_000)];
    const { asks } = depthOf([level(0.5, 1)], far);
    expect(Math.max(...asks.map(Number))).toBeLessThan(20);
  });

  it('is empty for an empty book', () => {
    expect(depthOf([], []).prices).toEqual([]);
  });
});
