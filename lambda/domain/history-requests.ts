import type { PricePoint } from './change.ts';

/** One question to the upstream; `fidelity` is the minutes between points. */
export type HistoryRequest =
  | { readonly kind: 'interval'; readonly interval: UpstreamInterval; readonly fidelity: number }
  | ({ readonly kind: 'window'; readonly fidelity: number } & HistoryWindow);

/** An explicit stretch of time in Unix seconds, both ends included. */
export interface HistoryWindow {
  readonly start: number;
  readonly end: number;
  /** Whether it ends now: only then does the point that upstream stamps "now" belong to it. */
  readonly newest: boolean;
}

type UpstreamInterval = '1d' | '1w' | '1m';

/** What the upstream responded to one request, as it came. */
export interface HistoryPart {
  readonly request: HistoryRequest;
  readonly points: readonly PricePoint[];
}

const MINUTE = 60;
const DAY = 86_400;

/** The longest window that upstream accepts, in seconds (upstream.md). */
const LONGEST_WINDOW = 15 * DAY;
/** Upstream has no `3m` ("1m" is one month), and its `max` was measured to be a month as well. */
const THREE_MONTHS = 90 * DAY;
/** How much later than that the oldest window may begin, in seconds, before there is one more window. */
const MOST_LATE = 2 * DAY;
/** How often the bounds of the windows move at most, in seconds. */
const BOUNDS_STEP = 6 * 3_600;

/**
 * Fidelities in minutes. `floor`: the least that upstream gives (upstream.md); for `3m`, of which upstream knows
 * nothing, that of `1m`: 13,000 points, a tenth of what a response of Lambda could hold. `chart`: about 300
 * points. `ceiling`: one step over all that one request asks for.
 */
const FIDELITIES = {
  '1d': { floor: 1, chart: 5, ceiling: DAY / MINUTE },
  '1w': { floor: 5, chart: 30, ceiling: (7 * DAY) / MINUTE },
  '1m': { floor: 10, chart: 150, ceiling: (30 * DAY) / MINUTE },
  '3m': { floor: 10, chart: 432, ceiling: LONGEST_WINDOW / MINUTE },
} as const;

export type HistoryInterval = keyof typeof FIDELITIES;

/** How far back an interval reaches, in seconds. */
export const INTERVAL_SECONDS: Readonly<Record<HistoryInterval, number>> = {
  '1d': DAY,
  '1w': 7 * DAY,
  '1m': 30 * DAY,
  '3m': THREE_MONTHS,
};

/** @param asked minutes between points; undefined: so many that a chart has about 300 */
export function fidelityOf(interval: HistoryInterval, asked: number | undefined): number {
  const { floor, chart, ceiling } = FIDELITIES[interval];
  return Math.min(Math.max(asked ?? chart, floor), ceiling);
}

/**
 * The requests that together give an interval, oldest first.
 *
 * @param fidelity as made by `fidelityOf`
 * @param now Unix seconds
 */
export function historyRequests(interval: HistoryInterval, fidelity: number, now: number): HistoryRequest[] {
  if (interval !== '3m') return [{ kind: 'interval', interval, fidelity }];
  return windows(fidelity, now).map((window) => ({ kind: 'window', ...window, fidelity }));
}

/**
 * Windows from `now` back over three months, oldest first, as long as upstream allows. Their bounds are multiples of the
 * step, so that no step is cut in two and none is lost at a seam; and they move at most every six hours, so that the
 * windows which have ended can be kept. For that the oldest begins late. Six windows will do unless so few steps fit into
 * one that it is much shorter than 15 days; then there are seven.
 */
function windows(fidelity: number, now: number): HistoryWindow[] {
  const step = Math.min(fidelity * MINUTE, DAY);
  const length = Math.floor(LONGEST_WINDOW / step) * step;
  const boundsStep = Math.ceil(BOUNDS_STEP / step) * step;
  const newestEnd = Math.ceil(now / boundsStep) * boundsStep;
  const count = Math.ceil((THREE_MONTHS + boundsStep - MOST_LATE) / length);
  return Array.from({ length: count }, (_, n) => {
    const end = newestEnd - (count - 1 - n) * length;
    return { start: end - length, end: Math.min(end, now), newest: end === newestEnd };
  });
}

/**
 * One series out of the responses: ascending, no time twice; where one repeats, the later point counts. Upstream
 * appends a point stamped "now" even to a window of the past (upstream.md): points outside their window are left
 * out, but for what the newest one says of now.
 *
 * @param parts oldest first
 */
export function joinHistories(parts: readonly HistoryPart[]): PricePoint[] {
  const byTime = new Map<number, number>();
  for (const { request, points } of parts) {
    for (const { t, p } of points) {
      if (Number.isSafeInteger(t) && t >= 0 && belongs(t, request)) byTime.set(t, p);
    }
  }
  return [...byTime].map(([t, p]) => ({ t, p })).sort((a, b) => a.t - b.t);
}

function belongs(t: number, request: HistoryRequest): boolean {
  return request.kind === 'interval' || (t >= request.start && (request.newest || t <= request.end));
}
