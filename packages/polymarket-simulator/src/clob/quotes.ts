import type { Instrument } from '../source.ts';

/** What the price routes say of a book. An empty side counts as 0 or 1, so an empty book is in the middle: 0.5. */

/** The midpoint, a decimal string, not canonical in its number of digits. */
export function midpointOf(instrument: Instrument, nowMs: number): string {
  const { bid, ask } = instrument.quote(nowMs);
  return String(((bid ?? 0) + (ask ?? instrument.units)) / (2 * instrument.units));
}

export const SIDES = ['BUY', 'SELL'] as const;
export type Side = (typeof SIDES)[number];

/** BUY is the best bid, SELL the best ask; "0" where the side is empty. */
export function priceOf(instrument: Instrument, side: Side, nowMs: number): string {
  const { bid, ask } = instrument.quote(nowMs);
  return String((side === 'BUY' ? (bid ?? 0) : (ask ?? 0)) / instrument.units);
}

export function spreadOf(instrument: Instrument, nowMs: number): string {
  const { bid, ask } = instrument.quote(nowMs);
  return String(((ask ?? instrument.units) - (bid ?? 0)) / instrument.units);
}

/** The last trade; upstream gives 0.5 and no side for what never traded. */
export function lastTradeOf(instrument: Instrument, nowMs: number): { price: string; side: Side | '' } {
  const price = instrument.lastTrade(nowMs);
  if (price === undefined) return { price: '0.5', side: '' };
  return { price: tradeText(price, instrument.units), side: instrument.key % 2 === 0 ? 'BUY' : 'SELL' };
}

/** Three decimals at least, as books write it; more where the tick is finer. */
export function tradeText(price: number, units: number): string {
  return price.toFixed(units > 1_000 ? 4 : units === 400 ? 4 : 3);
}
