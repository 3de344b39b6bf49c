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

/**
 * Upstream's histories also show the middle of a wide book, which says little. When such a book becomes tight, its
 * history jumps. So does that of a goal: nothing tells them apart.
 */
const MAX_CALM_STEP = 0.1;

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

/** The first point after the last jump between two prices; 0 without one. @param history oldest first */
export function lastJump(history: readonly PastPrice[]): UnixSeconds {
  const prices = history.flatMap(({ t, p }) => (p === null ? [] : [{ t, p }]));
  const after = prices.findLast(({ p }, n) => n > 0 && isJump((prices[n - 1]?.p ?? p) - p));
  return after?.t ?? 0;
}

/** @param change 0–1 */
export function isJump(change: number): boolean {
  return roundTo3(Math.abs(change) * 100) > MAX_CALM_STEP * 100;
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
 * The price at the start of a window: the last point up to the start. A market that is younger has none.
 *
 * @param history oldest first @param asOf end of the window
 * @returns null if the history has the time without a price; undefined if it does not reach it
 */
export function baseline(history: readonly PastPrice[], asOf: UnixMs, window: ChangeWindow): number | null | undefined {
  const start = asOf - CHANGE_WINDOWS_MS[window];
  const before = history.findLast(({ t }) => toUnixMs(t) <= start);
  if (before && window === 'oneHour' && start - toUnixMs(before.t) > MAX_HOUR_EARLY_MS) return undefined;
  return before?.p;
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
