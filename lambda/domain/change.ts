import { roundTo2 } from './numbers.ts';

/** One point of a price history: `t` in Unix seconds, `p` in 0..1. */
export interface PricePoint {
  readonly t: number;
  readonly p: number;
}

const DAY_SECONDS = 86_400;

/** The windows of the three changes, in seconds. */
export const CHANGE_WINDOWS = {
  oneDay: DAY_SECONDS,
  sevenDay: 7 * DAY_SECONDS,
  thirtyDay: 30 * DAY_SECONDS,
} as const;

export type ChangeWindow = keyof typeof CHANGE_WINDOWS;

/** A first point this share of the window after its start still stands for the start (design 2.1). */
const LATE_START_SHARE = 0.05;

/** How long after a window's start a baseline may still lie, in seconds. */
export function latestBaselineDelay(window: ChangeWindow): number {
  return CHANGE_WINDOWS[window] * LATE_START_SHARE;
}

/**
 * The price at a window's start: the last point at or before it, or the first after it within 5 % of the window.
 *
 * @param history in any order; points beyond the baseline's reach are ignored, the one that upstream appends
 *   and stamps "now" among them
 * @param asOf Unix seconds
 */
export function baseline(
  history: readonly PricePoint[],
  asOf: number,
  window: ChangeWindow,
): number | undefined {
  const start = asOf - CHANGE_WINDOWS[window];
  let before: PricePoint | undefined;
  let after: PricePoint | undefined;
  for (const point of history) {
    if (point.t <= start) {
      if (!before || point.t >= before.t) before = point;
    } else if (!after || point.t < after.t) after = point;
  }
  if (before) return before.p;
  return after && after.t - start <= latestBaselineDelay(window) ? after.p : undefined;
}

/**
 * Change of the YES probability over a window in percentage points, 2 decimals.
 *
 * @param probability in percent
 * @returns undefined without a baseline: an unknown change is never 0
 */
export function change(
  probability: number,
  history: readonly PricePoint[],
  asOf: number,
  window: ChangeWindow,
): number | undefined {
  const price = baseline(history, asOf, window);
  return price === undefined ? undefined : roundTo2(probability - price * 100);
}
