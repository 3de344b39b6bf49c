import type { Market } from '../../lambda/core/domain/market.ts';
import { middle, READING_MS, TOLERANCE, type TrueMarket, tightMiddle } from './truth.ts';
import { MAX_SKEW_MS, MINUTE } from './world.ts';

const HOUR = 60 * MINUTE;

/** How long before a window's start a price counts as the start's (docs/adr/0006-changes.md). */
export const WINDOWS = [
  { field: 'oneHourPriceChange', windowMs: HOUR, maxAgeMs: 15 * MINUTE },
  { field: 'oneDayPriceChange', windowMs: 24 * HOUR, maxAgeMs: 30 * MINUTE },
  { field: 'sevenDayPriceChange', windowMs: 7 * 24 * HOUR, maxAgeMs: 2 * HOUR },
  { field: 'thirtyDayPriceChange', windowMs: 30 * 24 * HOUR, maxAgeMs: 6 * HOUR },
] as const;

export interface KnownChange {
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
    const span = { from: start - maxAgeMs - MAX_SKEW_MS, until: start + READING_MS + MAX_SKEW_MS };
    const begins = bookAt(midpoint * 100 - change, truth, span, asOf);
    return [{ field, begins }];
  });
}

/** @param percent the price at the start of a window */
function bookAt(
  percent: number,
  truth: TrueMarket,
  { from, until }: Readonly<Record<'from' | 'until', number>>,
  asOf: number,
): KnownChange['begins'] {
  let isLoose = false;
  let wasEmpty = false;
  for (let at = until; at > from - truth.stepMs; at -= truth.stepMs) {
    const quote = truth.quote(at);
    const isStart = (price: number | undefined) =>
      price !== undefined && Math.abs(percent - price * 100) <= TOLERANCE;
    if (isStart(tightMiddle(quote))) return 'tight';
    if (isStart(middle(quote))) {
      if (middle(quote) === 0.5) wasEmpty = true;
      else isLoose = true;
    }
    if (at < truth.start) break; // nothing moved before
  }
  return isLoose || (wasEmpty && isOnceNearHalf(truth, asOf)) ? 'loose' : 'nowhere';
}

/**
 * A history shows 0.5 for an empty book, too. Beside prices near it, nobody can tell which it was.
 */
function isOnceNearHalf(truth: TrueMarket, now: number): boolean {
  for (let at = truth.start; at <= now; at += truth.stepMs) {
    const price = middle(truth.quote(at));
    if (price !== 0.5 && Math.abs(price - 0.5) <= 0.05) return true;
  }
  return false;
}
