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

/** Halfway between best bid and best ask. As upstream does, a missing bid counts as 0 and a missing ask as 1. */
export function midpoint(book: OrderBook): string {
  return decimal((bestBid(book) + bestAsk(book, 1)) / 2);
}

/** Best ask minus best bid, with the same rule for a missing side. */
export function spread(book: OrderBook): string {
  return decimal(bestAsk(book, 1) - bestBid(book));
}

/** The best bid for BUY, the best ask for SELL, as upstream has it (docs/upstream.md); "0" without one. */
export function sidePrice(book: OrderBook, side: 'BUY' | 'SELL'): string {
  return decimal(side === 'BUY' ? bestBid(book) : bestAsk(book, 0));
}

function bestBid(book: OrderBook): number {
  return Number(bestFirst(book).bids[0]?.price ?? 0);
}

function bestAsk(book: OrderBook, missing: number): number {
  return Number(bestFirst(book).asks[0]?.price ?? missing);
}

/** More digits than prices (4) and midpoints (5) have, and fewer than a double. */
const DIGITS = 10;

/** A decimal string without trailing zeros, never with an exponent. */
function decimal(value: number): string {
  const text = value.toFixed(DIGITS).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

const DECIMAL = /^(?:\d{1,100}(?:\.\d{1,100})?|\.\d{1,100})$/;

/** Whether a value is a number as the order book writes it: "0.5", "0.500", ".5". */
export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

export function isPrice(value: unknown): value is string {
  return isDecimal(value) && Number(value) <= 1;
}
