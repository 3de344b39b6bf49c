import type { Level, OrderBook } from '../../lambda/domain/order-book.ts';

/** Levels at these prices, in the order given. */
export function levels(...prices: readonly string[]): Level[] {
  return prices.map((price) => ({ price, size: '10' }));
}

/** A book with levels at these prices, in the order given, and whatever other fields a test needs. */
export function orderBook(
  bids: readonly string[] = [],
  asks: readonly string[] = [],
  fields: Readonly<Record<string, unknown>> = {},
): OrderBook {
  return { ...fields, bids: levels(...bids), asks: levels(...asks) };
}
