/** An order book of upstream: the order of its levels, and the forms of its numbers. */

/** One price of a side. Both values are decimal strings, as in upstream. */
export interface Level {
  readonly price: string;
  readonly size: string;
  readonly [field: string]: unknown;
}

/** An order book with all fields of upstream, even undocumented ones. */
export interface OrderBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly [field: string]: unknown;
}

/**
 * The book with the best price of each side first. Upstream sends the best level last but documents
 * the opposite (docs/upstream.md), so this ignores upstream's order. Levels of equal price keep
 * theirs.
 */
export function bestFirst(book: OrderBook): OrderBook {
  return {
    ...book,
    bids: book.bids.toSorted((a, b) => Number(b.price) - Number(a.price)),
    asks: book.asks.toSorted((a, b) => Number(a.price) - Number(b.price)),
  };
}

/** The first levels of each side. @param depth levels of each side; undefined for all */
export function cutDepth(book: OrderBook, depth: number | undefined): OrderBook {
  return { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) };
}

/** Decimal numbers of at most 100 digits: no price, size or 256-bit number has more. */
const DECIMAL = /^(?:\d{1,100}(?:\.\d{1,100})?|\.\d{1,100})$/;

/** Whether a value is a number as order books write it: "0.5", "0.500", ".5". */
export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

/** Whether a value is a price in USD as order books write it: a number from 0 to 1. */
export function isPrice(value: unknown): value is string {
  return isDecimal(value) && Number(value) <= 1;
}
