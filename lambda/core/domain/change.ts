/**
 * Price changes: their windows, the price at the start of each, and the difference. The second half
 * finds the points of upstream's histories that are no prices, and jumps that make a change doubtful.
 */
import {
  DAY_MS,
  HOUR_MS,
  HOUR_SECONDS,
  MINUTE_MS,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from './time.ts';
import { roundTo3 } from './values.ts';

/** A price of an upstream history. `p` is 0 to 1. */
export interface PricePoint {
  readonly t: UnixSeconds;
  readonly p: number;
  /** Marks the payout of a resolved token, which follows its last price. */
  readonly payout?: true;
}

/** A past midpoint, 0 to 1; `null` if it is unknown. */
export interface PastPrice {
  readonly t: UnixSeconds;
  readonly p: number | null;
}

/** How far back the price changes of the API reach. */
export const CHANGE_WINDOWS_MS = {
  oneHour: HOUR_MS,
  oneDay: DAY_MS,
  sevenDay: 7 * DAY_MS,
  thirtyDay: 30 * DAY_MS,
} as const;

export type ChangeWindow = keyof typeof CHANGE_WINDOWS_MS;
export const CHANGE_WINDOWS = Object.keys(CHANGE_WINDOWS_MS) as readonly ChangeWindow[];

/**
 * A 1-hour change starts 60 to 75 minutes ago. Longer windows may start earlier, because upstream
 * and the backfill store old prices in long steps.
 */
export const MAX_HOUR_EARLY_MS = 15 * MINUTE_MS;

/**
 * The price at the start of a window: that of the last point up to then. A market that is younger
 * than the window has none.
 *
 * @param history oldest first
 * @param asOf end of the window
 * @returns null if that point has no price; undefined if the history does not reach back that far,
 * or if the point is too old for a 1-hour window
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
 * midpoints (0–1), because a last trade can differ from the midpoint although nothing moved.
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

/**
 * The largest step between two prices (0–1) that is not a jump. Upstream's histories also show the
 * middle of a wide book, which says little, and jump when such a book becomes tight. A goal in a
 * match makes the same jump, so the two cannot be told apart.
 */
const MAX_CALM_STEP = 0.1;

/**
 * Whether a change of the price is too large for a calm market. Compares rounded percentage points,
 * because binary noise must not make a jump of a change of exactly 0.1.
 *
 * @param change the difference of two prices (0–1)
 */
export function isJump(change: number): boolean {
  return roundTo3(Math.abs(change) * 100) > MAX_CALM_STEP * 100;
}

/**
 * The time of the last jump: of the first point after it.
 *
 * @param history oldest first
 * @returns 0 without a jump
 */
export function lastJump(history: readonly PastPrice[]): UnixSeconds {
  let jumpedAt: UnixSeconds = 0;
  let previous: number | undefined;
  for (const { t, p } of history) {
    if (p === null) continue;
    if (previous !== undefined && isJump(p - previous)) jumpedAt = t;
    previous = p;
  }
  return jumpedAt;
}

/**
 * The price that upstream's histories show for a book that is empty or has the sides 0.01 and 0.99
 * (docs/upstream.md).
 */
const EMPTY_BOOK_PRICE = 0.5;
/** If the price jumps to 0.5 and back by more than this (0–1), the 0.5 was not a price. */
const MIN_EMPTY_BOOK_JUMP = 0.05;

/**
 * Replaces each 0.5 by `null` if the nearest other price before or after it is far from 0.5. The
 * prices 0.8, 0.5, 0.5, 0.82 become 0.8, null, null, 0.82.
 */
export function withoutEmptyBooks(history: readonly PricePoint[]): PastPrice[] {
  const before = lastOtherPrices(history);
  const after = lastOtherPrices(history.toReversed()).toReversed();
  return history.map(({ t, p }, index) => {
    const isFarFromOthers = isFarFromHalf(before[index]) || isFarFromHalf(after[index]);
    return { t, p: p === EMPTY_BOOK_PRICE && isFarFromOthers ? null : p };
  });
}

/** For each point, the last price up to it that is not 0.5. */
function lastOtherPrices(history: readonly PricePoint[]): (number | undefined)[] {
  let last: number | undefined;
  return history.map(({ p }) => {
    if (p !== EMPTY_BOOK_PRICE) last = p;
    return last;
  });
}

function isFarFromHalf(price: number | undefined): boolean {
  return price !== undefined && Math.abs(price - EMPTY_BOOK_PRICE) > MIN_EMPTY_BOOK_JUMP;
}

/**
 * After a point, the price counts as known for this long. A quiet market has points as often as
 * any other: of 1,440 in a recorded day, 98 % repeat the price. So a longer gap is missing data.
 */
const MAX_GAP_SECONDS = 6 * HOUR_SECONDS;

/**
 * Finds the gaps of more than six hours after a point.
 *
 * @param history oldest first
 * @param until end of the history
 * @returns a point without a price for each gap, six hours after the gap's start
 */
export function unknownAfterGaps(
  history: readonly PastPrice[],
  until: UnixSeconds,
): readonly PastPrice[] {
  const unknown: PastPrice[] = [];
  for (const [index, { t }] of history.entries()) {
    const next = history[index + 1]?.t ?? until;
    if (next - t > MAX_GAP_SECONDS) unknown.push({ t: t + MAX_GAP_SECONDS, p: null });
  }
  return unknown;
}
