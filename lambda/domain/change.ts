import { roundTo3 } from './numbers.ts';

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
 * The price at a window's start: the last point at or before it, or the first after it within 5 % of the window. Of two
 * points of one time the later in the history counts, as in the series that callers get (`joinHistories`).
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
    } else if (!after || point.t <= after.t) after = point;
  }
  if (before) return before.p;
  return after && after.t - start <= latestBaselineDelay(window) ? after.p : undefined;
}

/**
 * From one midpoint of the YES token to another in percentage points, 3 decimals. Both are midpoints, 0..1: a last
 * trade or a catalogue's price differs from a midpoint where nothing has moved.
 *
 * @returns undefined where one of the two is unknown: an unknown change is never 0
 */
export function pointsBetween(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined ? undefined : roundTo3((now - before) * 100);
}

/** The change over a window by a history. @param midpoint of now, 0..1 */
export function change(
  midpoint: number | undefined,
  history: readonly PricePoint[],
  asOf: number,
  window: ChangeWindow,
): number | undefined {
  return pointsBetween(baseline(history, asOf, window), midpoint);
}
