import type { GetPricesHistoryQuery } from 'market-data-proxy-client';
import type { Point } from './layout.ts';

export const RANGES = {
  '1d': ['1D', '1 day'],
  '1w': ['1W', '1 week'],
  '1m': ['1M', '1 month'],
  '3m': ['3M', '3 months'],
  max: ['Max', 'whole life'],
} as const;
export type Range = keyof typeof RANGES;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Minutes between points: about 350, less than one per pixel. */
export const FIDELITY = { '1d': 5, '1w': 30, '1m': 120, '3m': 360 } as const;
const LIFE_POINTS = 400;
/** A younger market has fewer points. */
const MIN_POINTS = 30;
const SECONDS = { '1d': DAY, '1w': 7 * DAY, '1m': 30 * DAY } as const;
/** The upstream writes the payout later than the result. */
const PAYOUT_SECONDS = HOUR;

/** Unix seconds; undefined if unknown or not yet. */
export interface Life {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly resolved: number | undefined;
}

/** A closed market's life, and shorter ends of it. */
export function endedRanges({ start = 0, end = Number.POSITIVE_INFINITY }: Life): readonly Range[] {
  return [...(['1d', '1w', '1m'] as const).filter((range) => SECONDS[range] < end - start), 'max'];
}

/** The window ends now or with the market's life. @param now Unix seconds */
export function rangeQuery(range: Range, life: Life, now: number): Omit<GetPricesHistoryQuery, 'token_id'> {
  const { start, end, resolved = 0 } = life;
  if (range !== 'max' && (end === undefined || range === '3m')) return { interval: range, fidelity: FIDELITY[range] };
  const from = range === 'max' ? start : Math.max(start ?? 0, (end ?? now) - SECONDS[range as keyof typeof SECONDS]);
  if (from === undefined) return { interval: 'max' };
  const window = end === undefined ? {} : { endTs: Math.max(end, resolved) + PAYOUT_SECONDS };
  return { startTs: from, ...window, fidelity: lifeFidelity((end ?? now) - from) };
}

const lifeFidelity = (seconds: number) => Math.max(1, Math.ceil(seconds / MINUTE / LIFE_POINTS));

/**
 * A young market has few points in a long range.
 * @param points oldest first @param now Unix seconds
 * @returns the request for its whole life in detail; undefined if the points suffice
 */
export function finerQuery(points: readonly Point[], now: number) {
  const age = now - (points[0]?.t ?? now);
  if (points.length >= MIN_POINTS || age > 6 * DAY) return undefined;
  return { interval: age < 0.9 * DAY ? '1d' : '1w', fidelity: lifeFidelity(age) } as const;
}
