// Compares the price changes of a snapshot with the true books at the starts of their windows.

import type { Market } from '../../lambda/core/domain/market.ts';
import { middle, READING_MS, TOLERANCE, type TrueMarket, tightMiddle } from './truth.ts';
import { MAX_SKEW_MS, MINUTE } from './world.ts';

const HOUR = 60 * MINUTE;

/**
 * How long before a window's start a price counts as the start's, if upstream's history has no hole
 * there (docs/adr/0006-changes.md).
 */
export const WINDOWS = [
  { field: 'oneHourPriceChange', windowMs: HOUR, maxAgeMs: 15 * MINUTE },
  { field: 'oneDayPriceChange', windowMs: 24 * HOUR, maxAgeMs: 30 * MINUTE },
  { field: 'sevenDayPriceChange', windowMs: 7 * 24 * HOUR, maxAgeMs: 2 * HOUR },
  { field: 'thirtyDayPriceChange', windowMs: 30 * 24 * HOUR, maxAgeMs: 6 * HOUR },
] as const;

/** In a hole of upstream's history, a price counts this much longer (docs/api.md). */
const MAX_GAP_MS = 6 * HOUR;
/** A sample of the service is at most this much older than the start of a window. */
const MAX_SAMPLE_AGE_MS = 30 * MINUTE;

interface KnownChange {
  readonly field: (typeof WINDOWS)[number]['field'];
  /**
   * `loose`: the middle of a book that was not tight, which says little. `nowhere`: of no book at
   * all.
   */
  readonly begins: 'tight' | 'loose' | 'nowhere';
}

/** The changes that a market has, by the book at their start. */
export function changesOf(market: Market, truth: TrueMarket, asOf: number): KnownChange[] {
  const { midpoint } = market;
  return WINDOWS.flatMap(({ field, windowMs, maxAgeMs }) => {
    const change = market[field] ?? undefined;
    if (change === undefined) return [];
    if (midpoint === undefined) return [{ field, begins: 'nowhere' }];
    const start = asOf - windowMs;
    const longestMs = maxAgeMs + MAX_GAP_MS;
    const ageMs = hasHole(truth, start - longestMs, start) ? longestMs : maxAgeMs;
    const from = start - ageMs - MAX_SKEW_MS;
    const span = { from, until: start + READING_MS + MAX_SKEW_MS };
    const begins = bookAt(midpoint * 100 - change, truth, span, asOf);
    return [{ field, begins }];
  });
}

/**
 * The windows of which the service must know the change, when it has read the histories: all books
 * around the start were tight, and the history has no hole there.
 */
export function knowable(truth: TrueMarket, asOf: number): readonly KnownChange['field'][] {
  const windows = WINDOWS.filter(({ windowMs, maxAgeMs }) => {
    const start = asOf - windowMs;
    const longestMs = Math.max(maxAgeMs, MAX_SAMPLE_AGE_MS);
    const quotes = [...truth.quotesBack(start + MAX_SKEW_MS, start - longestMs - MAX_SKEW_MS)];
    const isTight = quotes.every((quote) => tightMiddle(quote) !== undefined);
    return isTight && !hasHole(truth, start - maxAgeMs - MAX_GAP_MS, start + MAX_SKEW_MS);
  });
  return windows.map(({ field }) => field);
}

/** Whether upstream's history lacks points of a span. */
function hasHole({ holes }: TrueMarket, from: number, until: number): boolean {
  return holes.some((hole) => hole.from < until && hole.until > from);
}

/**
 * The kind of book that explains the start price of a change.
 *
 * @param percent the price at the start of a window
 */
function bookAt(
  percent: number,
  truth: TrueMarket,
  { from, until }: Readonly<Record<'from' | 'until', number>>,
  asOf: number,
): KnownChange['begins'] {
  let isLoose = false;
  let wasEmpty = false;
  for (const quote of truth.quotesBack(until, from)) {
    const isStart = (price: number | undefined) =>
      price !== undefined && Math.abs(percent - price * 100) <= TOLERANCE;
    if (isStart(tightMiddle(quote))) return 'tight';
    if (isStart(middle(quote))) {
      if (middle(quote) === 0.5) wasEmpty = true;
      else isLoose = true;
    }
  }
  return isLoose || (wasEmpty && isOnceNearHalf(truth, asOf)) ? 'loose' : 'nowhere';
}

/**
 * Whether the market ever had a price near 0.5. A history shows 0.5 for an empty book too, so the
 * service then cannot tell an empty book from a price.
 */
function isOnceNearHalf(truth: TrueMarket, now: number): boolean {
  return [...truth.quotesBack(now)].some((quote) => {
    const price = middle(quote);
    return price !== 0.5 && Math.abs(price - 0.5) <= 0.05;
  });
}
