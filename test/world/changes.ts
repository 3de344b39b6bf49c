import type { Market } from '../../lambda/core/domain/market.ts';
import { middle, type TrueMarket } from './truth.ts';
import { MINUTE } from './world.ts';

const HOUR = 60 * MINUTE;
const READING_MS = 15_000;
/** In percentage points. A price has five decimals. */
const TOLERANCE = 0.001;

/** How long before a window's start a price counts as the start's (docs/adr/0006-changes.md). */
export const WINDOWS = [
  { field: 'oneHourPriceChange', windowMs: HOUR, maxAgeMs: 15 * MINUTE },
  { field: 'oneDayPriceChange', windowMs: 24 * HOUR, maxAgeMs: 30 * MINUTE },
  { field: 'sevenDayPriceChange', windowMs: 7 * 24 * HOUR, maxAgeMs: 2 * HOUR },
  { field: 'thirtyDayPriceChange', windowMs: 30 * 24 * HOUR, maxAgeMs: 6 * HOUR },
] as const;

/** The fields with a change that does not begin at the middle of a book with prices. */
export function wrongChanges(market: Market, truth: TrueMarket, asOf: number): (typeof WINDOWS)[number]['field'][] {
  const { midpoint } = market;
  return WINDOWS.filter(({ field, windowMs, maxAgeMs }) => {
    const change = market[field] ?? undefined;
    if (change === undefined) return false;
    if (midpoint === undefined) return true;
    const start = asOf - windowMs;
    return !isTrue(midpoint * 100 - change, truth, start - maxAgeMs, start + READING_MS, asOf);
  }).map(({ field }) => field);
}

/** @param percent the price at the start of a window */
function isTrue(percent: number, truth: TrueMarket, from: number, until: number, asOf: number): boolean {
  let wasEmpty = false;
  for (let at = until; at > from - truth.stepMs; at -= truth.stepMs) {
    const price = middle(truth.quote(at));
    const isStart = Math.abs(percent - price * 100) <= TOLERANCE;
    if (isStart && price !== 0.5) return true;
    wasEmpty ||= isStart;
    if (at < truth.start) break; // nothing moved before
  }
  return wasEmpty && isOnceNearHalf(truth, asOf);
}

/** A history shows 0.5 for an empty book, too. Beside prices near it, nobody can tell which it was. */
function isOnceNearHalf(truth: TrueMarket, now: number): boolean {
  for (let at = truth.start; at <= now; at += truth.stepMs) {
    const price = middle(truth.quote(at));
    if (price !== 0.5 && Math.abs(price - 0.5) <= 0.05) return true;
  }
  return false;
}
