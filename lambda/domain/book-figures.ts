import type { Level, OrderBook } from './order-book.ts';
import { bestFirst } from './order-book.ts';

/** Digits after the point that prices are reckoned with; upstream's finest are five (a quarter of a ten-thousandth). */
const SCALE_DIGITS = 20;
const ONE = 10n ** BigInt(SCALE_DIGITS);

/** Halfway between best bid and best ask, as upstream says it: without a bid it counts as 0, without an ask as 1. */
export function midpoint(book: OrderBook): string {
  const { bid = 0n, ask = ONE } = best(book);
  return decimal((bid + ask) / 2n);
}

/** Best ask minus best bid, with the same rule. */
export function spread(book: OrderBook): string {
  const { bid = 0n, ask = ONE } = best(book);
  return decimal(ask - bid);
}

/** The best bid for BUY, the best ask for SELL (upstream.md: so it is, whatever the words suggest); "0" without one. */
export function price(book: OrderBook, side: 'BUY' | 'SELL'): string {
  const { bid = 0n, ask = 0n } = best(book);
  return decimal(side === 'BUY' ? bid : ask);
}

function best(book: OrderBook): { bid?: bigint; ask?: bigint } {
  const { bids, asks } = bestFirst(book);
  const [bid, ask] = [bids[0], asks[0]];
  return { ...(bid ? { bid: scaled(bid) } : {}), ...(ask ? { ask: scaled(ask) } : {}) };
}

function scaled({ price: text }: Level): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole) * ONE + BigInt(fraction.slice(0, SCALE_DIGITS).padEnd(SCALE_DIGITS, '0'));
}

/** Without zeros that change nothing. */
function decimal(value: bigint): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(SCALE_DIGITS + 1, '0');
  const fraction = digits.slice(-SCALE_DIGITS).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -SCALE_DIGITS)}${fraction && `.${fraction}`}`;
}
