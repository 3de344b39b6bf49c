import { describe, expect, it } from '@jest/globals';
import { tradeOf } from '../../../packages/market-page/src/state/trade.ts';

// `tradeOf` computes what a market order for some shares gets from one side of an order book. A
// level of the book has a price in USD and a size in shares.

describe('a trade of 1,000 shares', () => {
  const level = (price: string, size: string) => ({ price, size });

  it('takes the best prices first, and of the last level only what it needs', () => {
    const asks = [level('0.36', '200'), level('0.37', '700'), level('0.4', '5000')];
    const { shares, usd } = tradeOf(asks, 1_000);
    expect(shares).toBe(1_000);
    expect(usd).toBeCloseTo(200 * 0.36 + 700 * 0.37 + 100 * 0.4, 9);
  });

  it('is smaller if the book has fewer shares', () => {
    const { shares, usd } = tradeOf([level('0.5', '12.5'), level('0.25', '10')], 1_000);
    expect(shares).toBe(22.5);
    expect(usd).toBeCloseTo(8.75, 9);
  });

  it('is nothing without offers', () => {
    expect(tradeOf([], 1_000)).toEqual({ shares: 0, usd: 0 });
  });
});
