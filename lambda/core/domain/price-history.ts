/**
 * The past prices of a market as Polymarket ("upstream") sends them, and what to distrust in them.
 * Each is the middle between the best bid and ask of an order book. So a history shows 0.5 for an
 * empty book, and jumps when bid and ask that were far apart (a wide book) come near each other. It
 * also has gaps.
 */
import { HOUR_SECONDS, type UnixSeconds } from './time.ts';
import { roundTo3 } from './values.ts';

/** A point of such a history: the price `p`, from 0 to 1, at the time `t`. */
export interface PricePoint {
  readonly t: UnixSeconds;
  readonly p: number;
  /** Marks the payout of a resolved token, which follows its last price. */
  readonly payout?: true;
}

/** A point whose price was checked: `null` if the price at that time is unknown. */
export interface PastPrice {
  readonly t: UnixSeconds;
  readonly p: number | null;
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

/**
 * A larger change, in percentage points, is a jump. Upstream's histories also show the middle of a
 * wide book, which says little, and jump when such a book becomes tight. A goal in a match makes
 * the same jump, so the two cannot be told apart.
 */
const MAX_CALM_POINTS = 10;

/**
 * Whether a change of the price is a jump. Rounds first: in binary, 0.8 − 0.7 exceeds 0.1.
 *
 * @param change the difference of two prices (0–1)
 */
export function isJump(change: number): boolean {
  return roundTo3(Math.abs(change) * 100) > MAX_CALM_POINTS;
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
