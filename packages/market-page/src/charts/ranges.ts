/** The ranges of a chart, and the requests that read them. */
import type { GetPricesHistoriesQuery, GetPricesHistoryQuery } from 'market-data-proxy-client';

/** The ranges of a chart: the label of the button, and the name in words. */
export const RANGES = {
  '1d': { label: '1D', name: '1 day' },
  '1w': { label: '1W', name: '1 week' },
  '1m': { label: '1M', name: '1 month' },
  '3m': { label: '3M', name: '3 months' },
  max: { label: 'Max', name: 'whole life' },
};
export type Range = keyof typeof RANGES;

// All times here are in seconds.
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The API's `fidelity`: minutes between points. A range has about 350, less than one per pixel. */
export const FIDELITY = { '1d': 5, '1w': 30, '1m': 120, '3m': 360 } as const;
/** The number of points of a whole life: less than one per pixel. */
const LIFE_POINTS = 400;
/** The lengths of the ranges that are shorter than a whole life. */
const SECONDS = { '1d': DAY, '1w': 7 * DAY, '1m': 30 * DAY, '3m': 90 * DAY } as const;
const SHORTER_RANGES = Object.keys(SECONDS) as (keyof typeof SECONDS)[];
/** A window ends this much later, because the upstream writes the payout later than the result. */
const PAYOUT_DELAY = HOUR;

/** The life of a market, in Unix seconds. A time is undefined if it is unknown or to come. */
export interface Life {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly resolved: number | undefined;
}

/** The ranges of a market: its whole life, and those that are shorter. @param now Unix seconds */
export function rangesOf(
  { start = Number.NEGATIVE_INFINITY, end }: Life,
  now: number,
): readonly Range[] {
  return [...SHORTER_RANGES.filter((range) => SECONDS[range] < (end ?? now) - start), 'max'];
}

/** The range that a chart shows first: a month, or a shorter whole life. */
export const firstRange = (ranges: readonly Range[]): Range =>
  ranges.includes('1m') ? '1m' : 'max';

/**
 * The query of a range, which ends now or with the market's life.
 *
 * | market                 | range   | query                                     |
 * | ---------------------- | ------- | ----------------------------------------- |
 * | open                   | shorter | `interval`                                |
 * | open, start known      | `max`   | from the start                            |
 * | closed                 | shorter | the last part of its life, and the payout |
 * | closed, start known    | `max`   | its life, and the payout                  |
 * | any, start unknown     | `max`   | `interval=max`                            |
 *
 * @param now Unix seconds
 */
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
  return { startTs: from, endTs: Math.max(end, resolved) + PAYOUT_DELAY, fidelity };
}

/** The fidelity for a life of this length, in minutes. */
const lifeFidelity = (seconds: number) => Math.max(1, Math.ceil(seconds / MINUTE / LIFE_POINTS));

/**
 * The query for several tokens in one request, which returns at most a month: for a longer range
 * the last month, or the tokens' whole life if that is shorter.
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
