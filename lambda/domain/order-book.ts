import { compareDecimals } from './decimal.ts';

/** One price of a side; both are decimal strings as the upstream wrote them. */
export interface Level {
  readonly price: string;
  readonly size: string;
  readonly [field: string]: unknown;
}

/** The upstream's order book with all its fields, known or not. */
export interface OrderBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly [field: string]: unknown;
}

/**
 * The book with the best price of each side first: bids highest, asks lowest. Upstream has them last and
 * publishes that it has them first (upstream.md), so its order is not relied on. Fields and their order stay, and
 * levels of equal price keep theirs.
 */
export function bestFirst(book: OrderBook): OrderBook {
  return {
    ...book,
    bids: book.bids.toSorted((a, b) => compareDecimals(b.price, a.price)),
    asks: book.asks.toSorted((a, b) => compareDecimals(a.price, b.price)),
  };
}

/** @param depth most levels of each side; undefined: all */
export function cutDepth(book: OrderBook, depth: number | undefined): OrderBook {
  return depth === undefined
    ? book
    : { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) };
}
