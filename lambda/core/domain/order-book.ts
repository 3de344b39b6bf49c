/** One price of a side. Both values are decimal strings, as upstream writes them. */
export interface Level {
  readonly price: string;
  readonly size: string;
  readonly [field: string]: unknown;
}

/** An order book with all fields of upstream, documented or not. */
export interface OrderBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly [field: string]: unknown;
}

/**
 * The book with the best price of each side first. Upstream sends the best last and documents that it sends it first
 * (docs/upstream.md), so this function ignores its order. Levels of equal price keep theirs.
 */
export function bestFirst(book: OrderBook): OrderBook {
  return {
    ...book,
    bids: book.bids.toSorted((a, b) => Number(b.price) - Number(a.price)),
    asks: book.asks.toSorted((a, b) => Number(a.price) - Number(b.price)),
  };
}

/** @param depth the number of levels of each side to keep; undefined: all */
export function cutDepth(book: OrderBook, depth: number | undefined): OrderBook {
  return { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) };
}

const DECIMAL = /^(?:\d{1,100}(?:\.\d{1,100})?|\.\d{1,100})$/;

/** Whether a value is a number as the order book writes it: "0.5", "0.500", ".5". */
export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

export function isPrice(value: unknown): value is string {
  return isDecimal(value) && Number(value) <= 1;
}
