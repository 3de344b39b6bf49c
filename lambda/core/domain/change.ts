/**
 * The price change of a market: how far its price moved within the last hour, day, 7 or 30 days, in
 * percentage points. A price of 0.42 that was 0.40 a day ago has the change 2.
 */
import type { PastPrice } from './price-history.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, toUnixMs, type UnixMs } from './time.ts';
import { roundTo3 } from './values.ts';

/** The windows of the price changes: how far back each starts. */
export const CHANGE_WINDOWS_MS = {
  oneHour: HOUR_MS,
  oneDay: DAY_MS,
  sevenDay: 7 * DAY_MS,
  thirtyDay: 30 * DAY_MS,
} as const;

export type ChangeWindow = keyof typeof CHANGE_WINDOWS_MS;
export const CHANGE_WINDOWS = Object.keys(CHANGE_WINDOWS_MS) as readonly ChangeWindow[];

/**
 * A 1-hour change starts 60 to 75 minutes ago. Longer windows may start earlier, because Polymarket
 * and this service store old prices in long steps.
 */
export const MAX_HOUR_EARLY_MS = 15 * MINUTE_MS;

/**
 * The price at the start of a window: that of the last point up to then. A market that is younger
 * than the window has none.
 *
 * @param history oldest first
 * @param asOf end of the window
 * @returns null if that point has no price; undefined, so that the caller may use another source,
 * if the history does not reach back that far, or if the point is too old for a 1-hour window
 */
export function baseline(
  history: readonly PastPrice[],
  asOf: UnixMs,
  window: ChangeWindow,
): number | null | undefined {
  const start = asOf - CHANGE_WINDOWS_MS[window];
  const point = history.findLast(({ t }) => toUnixMs(t) <= start);
  if (!point) return undefined;
  const isTooOld = window === 'oneHour' && start - toUnixMs(point.t) > MAX_HOUR_EARLY_MS;
  return isTooOld ? undefined : point.p;
}

/**
 * The change between two prices in percentage points, with 3 decimals. Both prices must be
 * midpoints (0–1), the middle between the best bid and ask, because a last trade can differ from
 * the midpoint although nothing moved.
 *
 * @returns undefined if a price is unknown: an unknown change is never 0
 */
export function pointsBetween(
  before: number | null | undefined,
  now: number | undefined,
): number | undefined {
  if (before === undefined || before === null || now === undefined) return undefined;
  return roundTo3((now - before) * 100);
}
