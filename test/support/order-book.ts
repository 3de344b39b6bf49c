import type { Level, OrderBook } from '../../lambda/core/domain/order-book.ts';

/** Levels at these prices, in this order. */
export function levels(...prices: readonly string[]): Level[] {
  return prices.map((price) => ({ price, size: '10' }));
}

/**
 * A book with levels at these prices, in this order, and with the other fields that a test needs.
 */
export function orderBook(
  bids: readonly string[] = [],
  asks: readonly string[] = [],
  fields: Readonly<Record<string, unknown>> = {},
): OrderBook {
  return { ...fields, bids: levels(...bids), asks: levels(...asks) };
}
