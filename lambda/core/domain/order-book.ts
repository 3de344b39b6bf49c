/** Decimal strings, as in upstream. */
export interface Level {
  readonly price: string;
  readonly size: string;
  readonly [field: string]: unknown;
}

/** Includes undocumented fields of upstream. */
export interface OrderBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly [field: string]: unknown;
}

/**
 * Upstream sends the best level last but documents the opposite (docs/upstream.md). Equal prices
 * keep their order.
 */
export function bestFirst(book: OrderBook): OrderBook {
  return {
    ...book,
    bids: book.bids.toSorted((a, b) => Number(b.price) - Number(a.price)),
    asks: book.asks.toSorted((a, b) => Number(a.price) - Number(b.price)),
  };
}

/** @param depth levels of each side; undefined for all */
export function cutDepth(book: OrderBook, depth: number | undefined): OrderBook {
  return { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) };
}

const DECIMAL = /^(?:\d{1,100}(?:\.\d{1,100})?|\.\d{1,100})$/;

/** "0.5", "0.500", ".5". */
export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

export function isPrice(value: unknown): value is string {
  return isDecimal(value) && Number(value) <= 1;
}
