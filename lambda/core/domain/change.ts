import { DAY_MS, HOUR_MS, MINUTE_MS, toUnixMs, type UnixMs, type UnixSeconds } from './time.ts';
import { roundTo3 } from './values.ts';

/** `p` in 0–1. */
export interface PricePoint {
  readonly t: UnixSeconds;
  readonly p: number;
  /** A resolved token's payout, after its last price. */
  readonly payout?: true;
}

export const CHANGE_WINDOWS_MS = {
  oneHour: HOUR_MS,
  oneDay: DAY_MS,
  sevenDay: 7 * DAY_MS,
  thirtyDay: 30 * DAY_MS,
} as const;

export type ChangeWindow = keyof typeof CHANGE_WINDOWS_MS;
export const CHANGE_WINDOWS = Object.keys(CHANGE_WINDOWS_MS) as readonly ChangeWindow[];

/** A midpoint; `null` if unknown. */
export interface PastPrice {
  readonly t: UnixSeconds;
  readonly p: number | null;
}

/** A point this share of the window after its start still counts as the price at the start. */
const MAX_LATE_SHARE = { oneHour: 0, oneDay: 0.05, sevenDay: 0.01, thirtyDay: 0.01 } as const satisfies Record<
  ChangeWindow,
  number
>;
/** The start of the 1-hour change is 60 to 75 minutes ago. A longer window may begin in a quiet time of any length. */
export const MAX_HOUR_EARLY_MS = 15 * MINUTE_MS;
/** What upstream's histories show for a book that is empty or has the sides 0.01 and 0.99 (docs/upstream.md). */
const EMPTY_BOOK_PRICE = 0.5;
/** A price that jumps to 0.5 and back by more than this was not a price. */
const MIN_JUMP = 0.05;

/** Replaces stretches of exactly 0.5 by `null` unless the prices before and after explain them. */
export function withoutEmptyBooks(history: readonly PricePoint[]): PastPrice[] {
  const before = lastPrices(history);
  const after = lastPrices(history.toReversed()).reverse();
  return history.map(({ t, p }, n) => {
    const jumps = [before[n], after[n]].some((price) => price !== undefined && Math.abs(price - p) > MIN_JUMP);
    return { t, p: p === EMPTY_BOOK_PRICE && jumps ? null : p };
  });
}

/** Per point, the last price so far that is not 0.5. */
function lastPrices(history: readonly PricePoint[]): (number | undefined)[] {
  let last: number | undefined;
  return history.map(({ p }) => {
    if (p !== EMPTY_BOOK_PRICE) last = p;
    return last;
  });
}

/**
 * The price at the start of a window: the last point up to the start, otherwise the first one within the window's first
 * part.
 *
 * @param history oldest first @param asOf end of the window
 * @returns null if the history has the time without a price; undefined if it does not reach it
 */
export function baseline(history: readonly PastPrice[], asOf: UnixMs, window: ChangeWindow): number | null | undefined {
  const start = asOf - CHANGE_WINDOWS_MS[window];
  const latest = start + CHANGE_WINDOWS_MS[window] * MAX_LATE_SHARE[window];
  const before = history.findLast(({ t }) => toUnixMs(t) <= start);
  if (before && window === 'oneHour' && start - toUnixMs(before.t) > MAX_HOUR_EARLY_MS) return undefined;
  if (before) return before.p;
  return history.find(({ t }) => toUnixMs(t) <= latest)?.p;
}

/**
 * In percentage points, 3 decimals. Both prices must be midpoints, 0–1: a last trade can differ from the midpoint
 * although nothing moved.
 *
 * @returns undefined if a price is unknown: an unknown change is never 0
 */
export function pointsBetween(before: number | null | undefined, now: number | undefined): number | undefined {
  return before === undefined || before === null || now === undefined ? undefined : roundTo3((now - before) * 100);
}
