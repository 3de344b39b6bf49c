// Compares the price changes of a snapshot with the true books at the starts of their windows. For
// example, a 7-day change begins at the book of seven days ago.

import type { Market } from '../../lambda/core/domain/market.ts';
import { READING_MS, TOLERANCE } from './price-checks.ts';
import { middle, tightMiddle } from './quote.ts';
import type { TrueMarket } from './true-market.ts';
import { MAX_SKEW_MS, MINUTE } from './world.ts';

const HOUR = 60 * MINUTE;

/**
 * Each change with its window. `maxAgeMs` is how long before the start of the window a price counts
 * as the start's, if upstream's history has no hole there (docs/adr/0006-changes.md).
 */
export const WINDOWS = [
  { field: 'oneHourPriceChange', windowMs: HOUR, maxAgeMs: 15 * MINUTE },
  { field: 'oneDayPriceChange', windowMs: 24 * HOUR, maxAgeMs: 30 * MINUTE },
  { field: 'sevenDayPriceChange', windowMs: 7 * 24 * HOUR, maxAgeMs: 2 * HOUR },
  { field: 'thirtyDayPriceChange', windowMs: 30 * 24 * HOUR, maxAgeMs: 6 * HOUR },
] as const;
export type ChangeField = (typeof WINDOWS)[number]['field'];

/** In a hole of upstream's history, a price counts this much longer (docs/api.md). */
export const MAX_GAP_MS = 6 * HOUR;

export interface KnownChange {
  readonly field: ChangeField;
  /**
   * The book whose middle is the start price. `loose`: it was not tight, which says little.
   * `nowhere`: no book had this middle, so the change is wrong.
   */
  readonly begins: 'tight' | 'loose' | 'nowhere';
}

/** The changes that a market of a snapshot has. @param asOf the time of the snapshot */
export function changesOf(market: Market, truth: TrueMarket, asOf: number): KnownChange[] {
  const { midpoint } = market;
  const changes: KnownChange[] = [];
  for (const { field, windowMs, maxAgeMs } of WINDOWS) {
    const points = market[field] ?? undefined;
    if (points === undefined) continue;
    if (midpoint === undefined) {
      changes.push({ field, begins: 'nowhere' });
      continue;
    }
    const start = asOf - windowMs;
    const longestMs = maxAgeMs + MAX_GAP_MS;
    const ageMs = hasHole(truth, start - longestMs, start) ? longestMs : maxAgeMs;
    // The run took the times by its own clock, which may be wrong, and read for a while.
    const span = {
      from: start - ageMs - MAX_SKEW_MS,
      until: start + READING_MS + MAX_SKEW_MS,
    };
    changes.push({ field, begins: bookAt(midpoint * 100 - points, truth, span, asOf) });
  }
  return changes;
}

/** Whether upstream's history lacks points of a span. */
export function hasHole({ holes }: TrueMarket, from: number, until: number): boolean {
  return holes.some((hole) => hole.from < until && hole.until > from);
}

/**
 * The kind of book in a span that explains the start price of a change.
 *
 * @param percent the start price: 27.1 for a book of 0.266 and 0.276
 * @param now the time of the snapshot
 */
function bookAt(
  percent: number,
  truth: TrueMarket,
  { from, until }: Readonly<Record<'from' | 'until', number>>,
  now: number,
): KnownChange['begins'] {
  const isStart = (price: number | undefined) =>
    price !== undefined && Math.abs(percent - price * 100) <= TOLERANCE;
  for (const quote of truth.quotesBefore(until, from))
    if (isStart(tightMiddle(quote))) return 'tight';
  const looseStarts = [...truth.quotesBefore(until, from)].map(middle).filter(isStart);
  if (looseStarts.some((price) => price !== 0.5)) return 'loose';
  // The service discards the 0.5 of an empty book, unless a price near 0.5 makes it credible.
  return looseStarts.length > 0 && wasOnceNearHalf(truth, now) ? 'loose' : 'nowhere';
}

/**
 * Whether the market had a price near 0.5 up to now. A history shows 0.5 for an empty book too. The
 * service takes it for a price if the other prices before and after it, which may be of any time up
 * to now, are near 0.5.
 */
function wasOnceNearHalf(truth: TrueMarket, now: number): boolean {
  for (const quote of truth.quotesBefore(now)) {
    const price = middle(quote);
    if (price !== 0.5 && Math.abs(price - 0.5) <= 0.05) return true;
  }
  return false;
}
