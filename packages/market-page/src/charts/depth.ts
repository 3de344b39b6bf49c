export interface Level {
  /** 0..1 */
  readonly price: number;
  /** Shares. */
  readonly size: number;
}

/** Cumulative shares at a price or better, for the part of the book around its middle. */
export interface Depth {
  /** Cents, ascending: first those of the bids, then those of the asks. */
  readonly prices: readonly number[];
  /** Shares; null at the prices of the asks. */
  readonly bids: readonly (number | null)[];
  /** Shares; null at the prices of the bids. */
  readonly asks: readonly (number | null)[];
  /** Cents. */
  readonly range: readonly [number, number];
}

/** Levels to show of the side that reaches further. */
const LEVELS = 15;
/** Minimum reach to both sides in cents, so that a narrow book does not look like a wall. */
const MIN_REACH = 2;

/** @param bids best level first @param asks best level first */
export function depthOf(bids: readonly Level[], asks: readonly Level[]): Depth {
  const best = { bid: bids[0]?.price ?? asks[0]?.price ?? 0, ask: asks[0]?.price ?? bids[0]?.price ?? 1 };
  const middle = ((best.bid + best.ask) / 2) * 100;
  const far = (side: readonly Level[]) =>
    Math.abs((side[Math.min(LEVELS, side.length) - 1]?.price ?? middle / 100) * 100 - middle);
  const reach = Math.max(MIN_REACH, far(bids), far(asks));
  const range = [Math.max(0, middle - reach), Math.min(100, middle + reach)] as const;
  const bidSteps = steps(bids, range[0], (price) => price >= range[0]).reverse();
  const askSteps = steps(asks, range[1], (price) => price <= range[1]);
  return {
    prices: [...bidSteps, ...askSteps].map(({ price }) => price),
    bids: [...bidSteps.map(({ depth }) => depth), ...askSteps.map(() => null)],
    asks: [...bidSteps.map(() => null), ...askSteps.map(({ depth }) => depth)],
    range,
  };
}

/** Cumulative sizes from the best price outwards; the last one continues to the end of the range. */
function steps(side: readonly Level[], end: number, inRange: (cents: number) => boolean) {
  let depth = 0;
  const cumulated = side
    .map(({ price, size }) => {
      depth += size;
      return { price: price * 100, depth };
    })
    .filter(({ price }) => inRange(price));
  const last = cumulated.at(-1);
  return last && last.price !== end ? [...cumulated, { price: end, depth: last.depth }] : cumulated;
}
