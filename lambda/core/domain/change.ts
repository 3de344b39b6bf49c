import { DAY_MS, HOUR_MS, MINUTE_MS, toUnixMs, type UnixMs, type UnixSeconds } from './time.ts';
import { roundTo3 } from './values.ts';

/** `p` is 0 to 1. */
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
 * Upstream's histories jump when a wide book, whose middle says little, becomes tight. A goal looks
 * the same.
 */
const MAX_CALM_STEP = 0.1;

/**
 * A 1-hour change starts 60 to 75 minutes ago. Longer windows may start earlier, because upstream
 * and the backfill store old prices in long steps.
 */
export const MAX_HOUR_EARLY_MS = 15 * MINUTE_MS;
/** Upstream's history of a book that is empty or has the sides 0.01 and 0.99 (docs/upstream.md). */
const EMPTY_BOOK_PRICE = 0.5;
/** If a price jumps to 0.5 and back by more than this, it was not a price. */
const MIN_JUMP = 0.05;

/** Replaces stretches of exactly 0.5 by `null`, unless the prices before and after explain them. */
export function withoutEmptyBooks(history: readonly PricePoint[]): PastPrice[] {
  const before = lastPrices(history);
  const after = lastPrices(history.toReversed()).reverse();
  return history.map(({ t, p }, n) => {
    const jumps = [before[n], after[n]].some(
      (price) => price !== undefined && Math.abs(price - p) > MIN_JUMP,
    );
    return { t, p: p === EMPTY_BOOK_PRICE && jumps ? null : p };
  });
}

/**
 * @returns the first point after the last jump between two prices; 0 without a jump
 * @param history oldest first
 */
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
 * The last price up to the start of a window.
 *
 * @param history oldest first @param asOf end of the window
 * @returns null without a price at that time; undefined if the history does not reach back that far
 */
export function baseline(
  history: readonly PastPrice[],
  asOf: UnixMs,
  window: ChangeWindow,
): number | null | undefined {
  const start = asOf - CHANGE_WINDOWS_MS[window];
  const before = history.findLast(({ t }) => toUnixMs(t) <= start);
  if (before && window === 'oneHour' && start - toUnixMs(before.t) > MAX_HOUR_EARLY_MS)
    return undefined;
  return before?.p;
}

/**
 * In percentage points, with 3 decimals; undefined if a price is unknown, never 0. Both must be
 * midpoints (0–1), because last trades can differ although nothing moved.
 */
export function pointsBetween(
  before: number | null | undefined,
  now: number | undefined,
): number | undefined {
  return before === undefined || before === null || now === undefined
    ? undefined
    : roundTo3((now - before) * 100);
}
