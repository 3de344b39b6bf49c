import { roundTo3 } from './values.ts';

/** One point of a price history: `t` in Unix seconds, `p` in 0–1. */
export interface PricePoint {
  readonly t: number;
  readonly p: number;
  /** The payout of a resolved token, after its last price. */
  readonly isPayout?: true;
}

const DAY_SECONDS = 86_400;

/** Seconds. */
export const CHANGE_WINDOWS = {
  oneDay: DAY_SECONDS,
  sevenDay: 7 * DAY_SECONDS,
  thirtyDay: 30 * DAY_SECONDS,
} as const;

export type ChangeWindow = keyof typeof CHANGE_WINDOWS;

/** A point this share of the window after its start still counts as the price at the start. */
const MAX_LATE_SHARE = 0.05;

/**
 * The price at the start of a window: the last point at or before the start. Without one, it is the first point within
 * 5 % of the window after the start. If a time repeats, the later point counts.
 *
 * @param history in any order @param asOf end of the window, Unix seconds
 */
export function baseline(history: readonly PricePoint[], asOf: number, window: ChangeWindow): number | undefined {
  const start = asOf - CHANGE_WINDOWS[window];
  let before: PricePoint | undefined;
  let after: PricePoint | undefined;
  for (const point of history) {
    if (point.t <= start) {
      if (!before || point.t >= before.t) before = point;
    } else if (!after || point.t <= after.t) after = point;
  }
  if (before) return before.p;
  return after && after.t - start <= CHANGE_WINDOWS[window] * MAX_LATE_SHARE ? after.p : undefined;
}

/**
 * The change in percentage points, 3 decimals. Both prices must be midpoints, 0–1: a last trade can differ from the
 * midpoint although nothing moved.
 *
 * @returns undefined if one price is unknown: an unknown change is never 0
 */
export function pointsBetween(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined ? undefined : roundTo3((now - before) * 100);
}
