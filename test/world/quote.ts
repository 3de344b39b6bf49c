/**
 * The best prices of YES and its last trade at one moment. Prices are USD from 0 to 1. A side of
 * the order book without an offer is absent.
 */
export interface Quote {
  readonly bid?: number;
  readonly ask?: number;
  readonly last?: number;
}

/** The middle of the book as Gamma and the histories have it: an empty side is 0 or 1. */
export function middle({ bid = 0, ask = 1 }: Quote): number {
  return (bid + ask) / 2;
}

/** In ten-thousandths of a dollar, the finest tick. */
const TICKS = 10_000;
const MAX_TIGHT_TICKS = 1_000;

/**
 * The midpoint as docs/design.md promises it: only a tight book has one, with at least one side and
 * a spread of at most 0.10. In whole ticks, so that it shares no arithmetic with the service.
 */
export function tightMiddle({ bid, ask }: Quote): number | undefined {
  if (bid === undefined && ask === undefined) return undefined;
  const low = Math.round((bid ?? 0) * TICKS);
  const high = Math.round((ask ?? 1) * TICKS);
  return high - low > MAX_TIGHT_TICKS ? undefined : (low + high) / (2 * TICKS);
}

/** The quote of NO: its bid is what the ask of YES leaves of a dollar. */
export function mirrored({ bid, ask, last }: Quote): Quote {
  const other = (price: number): number => Number((1 - price).toFixed(8));
  return {
    ...(ask === undefined ? {} : { bid: other(ask) }),
    ...(bid === undefined ? {} : { ask: other(bid) }),
    ...(last === undefined ? {} : { last: other(last) }),
  };
}
