import { DAY_MS, toUnixMs, type UnixMs, type UnixSeconds } from './time.ts';
import { roundTo3 } from './values.ts';

/** One point of a price history, `p` in 0–1. */
export interface PricePoint {
  readonly t: UnixSeconds;
  readonly p: number;
  /** The payout of a resolved token, after its last price. */
  readonly isPayout?: true;
}

export const CHANGE_WINDOWS_MS = {
  oneDay: DAY_MS,
  sevenDay: 7 * DAY_MS,
  thirtyDay: 30 * DAY_MS,
} as const;

export type ChangeWindow = keyof typeof CHANGE_WINDOWS_MS;

/** A point this share of the window after its start still counts as the price at the start. */
const MAX_LATE_SHARE = 0.05;

/**
 * The price at the start of a window: the last point at or before the start. Without one, it is the first point within
 * 5 % of the window after the start. If a time repeats, the later point counts.
 *
 * @param history in any order @param asOf end of the window
 */
export function baseline(history: readonly PricePoint[], asOf: UnixMs, window: ChangeWindow): number | undefined {
  const start = asOf - CHANGE_WINDOWS_MS[window];
  const latest = start + CHANGE_WINDOWS_MS[window] * MAX_LATE_SHARE;
  let before: PricePoint | undefined;
  let after: PricePoint | undefined;
  for (const point of history) {
    if (toUnixMs(point.t) <= start) {
      if (!before || point.t >= before.t) before = point;
    } else if (!after || point.t <= after.t) after = point;
  }
  if (before) return before.p;
  return after && toUnixMs(after.t) <= latest ? after.p : undefined;
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
