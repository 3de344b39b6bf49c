/** The ranges of a chart, and the requests that read them. */
import type { GetPricesHistoriesQuery, GetPricesHistoryQuery } from 'market-data-proxy-client';

/** The ranges of a chart: the label of the button, and its name in words. */
export const RANGES = {
  '1d': ['1D', '1 day'],
  '1w': ['1W', '1 week'],
  '1m': ['1M', '1 month'],
  '3m': ['3M', '3 months'],
  max: ['Max', 'whole life'],
} as const;
export type Range = keyof typeof RANGES;

// All times here are in seconds.
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Minutes between points: about 350, less than one per pixel. */
export const FIDELITY = { '1d': 5, '1w': 30, '1m': 120, '3m': 360 } as const;
/** The points of a whole life: less than one per pixel. */
const LIFE_POINTS = 400;
/** The lengths of the ranges that are shorter than a whole life. */
const SECONDS = { '1d': DAY, '1w': 7 * DAY, '1m': 30 * DAY, '3m': 90 * DAY } as const;
const SHORTER = Object.keys(SECONDS) as (keyof typeof SECONDS)[];
/** A window ends this much later, because the upstream writes the payout later than the result. */
const PAYOUT_SECONDS = HOUR;

/** The life of a market, in Unix seconds. A time is undefined if it is unknown or to come. */
export interface Life {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly resolved: number | undefined;
}

/** The ranges of a market: its life, and those that are shorter. @param now Unix seconds */
export function rangesOf(
  { start = Number.NEGATIVE_INFINITY, end }: Life,
  now: number,
): readonly Range[] {
  return [...SHORTER.filter((range) => SECONDS[range] < (end ?? now) - start), 'max'];
}

/** The range that a chart shows first: a month, or a shorter whole life. */
export const firstRange = (ranges: readonly Range[]): Range =>
  ranges.includes('1m') ? '1m' : 'max';

/** The query of a range, which ends now or with the market's life. @param now Unix seconds */
export function rangeQuery(
  range: Range,
  life: Life,
  now: number,
): Omit<GetPricesHistoryQuery, 'token_id'> {
  const { start, end, resolved = 0 } = life;
  if (range !== 'max' && end === undefined) return { interval: range, fidelity: FIDELITY[range] };
  const lastTime = end ?? now;
  const from = range === 'max' ? start : Math.max(start ?? 0, lastTime - SECONDS[range]);
  if (from === undefined) return { interval: 'max' };
  const fidelity = lifeFidelity(lastTime - from);
  if (end === undefined) return { startTs: from, fidelity };
  return { startTs: from, endTs: Math.max(end, resolved) + PAYOUT_SECONDS, fidelity };
}

/** The fidelity for a life of this length, in minutes. */
const lifeFidelity = (seconds: number) => Math.max(1, Math.ceil(seconds / MINUTE / LIFE_POINTS));

/**
 * The query for several tokens in one request, of at most a month.
 *
 * @param seconds their life until now
 */
export function sharedQuery(
  range: Range,
  seconds: number,
): Omit<GetPricesHistoriesQuery, 'token_id'> {
  if (range === '1d' || range === '1w') return { interval: range, fidelity: FIDELITY[range] };
  const interval = (['1d', '1w'] as const).find((shorter) => seconds <= SECONDS[shorter]) ?? '1m';
  return { interval, fidelity: Math.min(FIDELITY['1m'], lifeFidelity(seconds)) };
}
