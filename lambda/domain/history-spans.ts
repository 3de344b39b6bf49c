import type { PricePoint } from './change.ts';

/** The part of a price history that one call returns. `fidelity` is the number of minutes between points. */
export type HistorySpan =
  | { readonly kind: 'interval'; readonly interval: '1d' | '1w' | '1m'; readonly fidelity: number }
  /** Unix seconds, both ends included. */
  | { readonly kind: 'window'; readonly start: number; readonly end: number; readonly fidelity: number };

const MINUTE = 60;
const DAY = 86_400;

/** The longest window that upstream accepts, in seconds (docs/upstream.md). */
const MAX_WINDOW = 15 * DAY;
/** Upstream has no `3m` (its "1m" is one month), and its `max` returns only a month. */
const THREE_MONTHS = 90 * DAY;
/** If the oldest window begins later than this, in seconds, the chart gets one window more. */
const MAX_LATE_START = 2 * DAY;
/** The bounds of the windows move at most this often, in seconds, so that ended windows can be cached. */
const MIN_BOUNDS_STEP = 6 * 3_600;

/**
 * Fidelities in minutes. `min`: the finest that upstream gives (docs/upstream.md); `3m` has that of `1m`: 13,000 points,
 * a tenth of what a Lambda response can hold. `chart`: about 300 points. `max`: one step per call.
 */
const FIDELITIES = {
  '1d': { min: 1, chart: 5, max: DAY / MINUTE },
  '1w': { min: 5, chart: 30, max: (7 * DAY) / MINUTE },
  '1m': { min: 10, chart: 150, max: (30 * DAY) / MINUTE },
  '3m': { min: 10, chart: 432, max: MAX_WINDOW / MINUTE },
} as const;

export type HistoryInterval = keyof typeof FIDELITIES;

/** @param requested minutes between points; undefined: about 300 points in all */
export function fidelityOf(interval: HistoryInterval, requested: number | undefined): number {
  const { min, chart, max } = FIDELITIES[interval];
  return Math.min(Math.max(requested ?? chart, min), max);
}

/**
 * The spans that together make an interval, oldest first.
 *
 * @param fidelity a result of `fidelityOf`
 * @param now Unix seconds
 */
export function historySpans(interval: HistoryInterval, fidelity: number, now: number): HistorySpan[] {
  return interval === '3m' ? windows(fidelity, now) : [{ kind: 'interval', interval, fidelity }];
}

/**
 * Windows from `now` back over three months, oldest first, each as long as upstream allows. Their bounds are multiples of
 * the step, so that no step is split or lost between two windows. They move at most every six hours. Six windows are
 * enough, unless the step is so long that a window is much shorter than 15 days; then there are seven.
 */
function windows(fidelity: number, now: number): HistorySpan[] {
  const step = Math.min(fidelity * MINUTE, DAY);
  const length = Math.floor(MAX_WINDOW / step) * step;
  const boundsStep = Math.ceil(MIN_BOUNDS_STEP / step) * step;
  const newestEnd = Math.ceil(now / boundsStep) * boundsStep;
  const count = Math.ceil((THREE_MONTHS + boundsStep - MAX_LATE_START) / length);
  return Array.from({ length: count }, (_, n) => {
    const end = newestEnd - (count - 1 - n) * length;
    return { kind: 'window', start: end - length, end: Math.min(end, now), fidelity };
  });
}

/**
 * One series: ascending, no time twice. If a time repeats, the later point counts. Upstream appends a point with the time
 * of now even to a window in the past (docs/upstream.md). Such points are left out, except at the end of the newest part.
 *
 * @param parts what the upstream returned for each span, unchanged, oldest first
 */
export function joinHistories(parts: readonly { span: HistorySpan; points: readonly PricePoint[] }[]): PricePoint[] {
  const byTime = new Map<number, number>();
  for (const [n, { span, points }] of parts.entries()) {
    const end = span.kind === 'window' && n < parts.length - 1 ? span.end : Number.POSITIVE_INFINITY;
    const start = span.kind === 'window' ? span.start : 0;
    for (const { t, p } of points) {
      if (Number.isSafeInteger(t) && t >= start && t <= end) byTime.set(t, p);
    }
  }
  return [...byTime].map(([t, p]) => ({ t, p })).sort((a, b) => a.t - b.t);
}
