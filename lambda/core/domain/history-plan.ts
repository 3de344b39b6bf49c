/**
 * Plans the calls to Polymarket ("upstream") that read the price history of a token. Upstream
 * limits the length, the age and the fidelity of a call:
 * - `{ interval: '1w' }` takes one call, because upstream has this interval.
 * - `{ startTs }` of 20 days ago takes two calls, each for a window of at most 15 days.
 * - `{ interval: 'max' }` takes one call for the whole life of the market.
 *
 * The fidelity of a history is the minutes between its points: 1 is the finest, and a larger number
 * is coarser. Upstream has two routes: the Data API, and CLOB, its API of order books.
 */
import { ServiceError } from './service-error.ts';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, type UnixSeconds } from './time.ts';

/** What a caller requests: an interval up to now, or a window from `startTs`. */
export interface HistoryQuery {
  readonly interval?: HistoryInterval | undefined;
  readonly startTs?: UnixSeconds | undefined;
  /** Included in the window. Undefined means until now. */
  readonly endTs?: UnixSeconds | undefined;
  readonly fidelity?: number | undefined;
}

/** How a history is read. */
export interface HistoryPlan {
  /** In minutes. The history has at most one point in each step of this length. */
  readonly fidelity: number;
  /**
   * The time of the first point, at the earliest. 0 for an interval: upstream chooses its start.
   */
  readonly start: UnixSeconds;
  /** The time of the last point, at the latest. */
  readonly end: UnixSeconds;
  /** One for each call; oldest first. */
  readonly spans: readonly HistorySpan[];
  /**
   * The calls that replace a call for the whole life if the Data API fails; oldest first. CLOB has
   * only the last month of a whole life.
   */
  readonly fallback?: readonly HistorySpan[];
}

/**
 * The part of a history that one call returns. Its fidelity is in minutes, as above. A window
 * includes both ends.
 */
export type HistorySpan =
  | { readonly kind: 'interval'; readonly interval: UpstreamInterval; readonly fidelity: number }
  | {
      readonly kind: 'window';
      readonly start: UnixSeconds;
      readonly end: UnixSeconds;
      readonly fidelity: number;
    };

/**
 * Upstream's intervals, and the finest fidelity that all its routes accept. It is the default, so
 * that a caller gets the points that upstream has: at most 4,320, from one call.
 */
const INTERVALS = {
  '1h': { seconds: HOUR_SECONDS, finestFidelity: 1 },
  '6h': { seconds: 6 * HOUR_SECONDS, finestFidelity: 1 },
  '1d': { seconds: DAY_SECONDS, finestFidelity: 1 },
  '1w': { seconds: 7 * DAY_SECONDS, finestFidelity: 5 },
  '1m': { seconds: 30 * DAY_SECONDS, finestFidelity: 10 },
} as const;

type UpstreamInterval = keyof typeof INTERVALS | 'max';
/** `1m` is one month. `3m` is ours: upstream has no such interval, so it becomes a window. */
type HistoryInterval = UpstreamInterval | '3m';

/** The longest window that upstream accepts (docs/upstream.md). */
export const MAX_WINDOW_SECONDS = 15 * DAY_SECONDS;
/** Upstream has older points only as part of a whole life. */
const MAX_WINDOW_AGE_SECONDS = 90 * DAY_SECONDS;
/** The call for the whole life of a market, in the finest fidelity that upstream stores forever. */
export const WHOLE_LIFE: HistorySpan = { kind: 'interval', interval: 'max', fidelity: 180 };
/** Upstream's clock can differ from ours by this much, and a call takes time. */
const UPSTREAM_CLOCK_TOLERANCE_SECONDS = 60;
/** In minutes: the points of a call are at most a day apart. */
const MAX_CALL_FIDELITY = DAY_SECONDS / MINUTE_SECONDS;

/**
 * Upstream stores points of each fidelity at least until they have this age (docs/upstream.md,
 * "Data API").
 */
const STORED = [
  { fidelity: 1, maxAgeSeconds: 7 * DAY_SECONDS },
  { fidelity: 5, maxAgeSeconds: 60 * DAY_SECONDS },
  { fidelity: 30, maxAgeSeconds: MAX_WINDOW_AGE_SECONDS },
] as const;

/**
 * Plans the calls that read a history from upstream.
 *
 * @throws ServiceError `invalid_parameter` (400) for an impossible window
 */
export function historyPlan(query: HistoryQuery, now: UnixSeconds): HistoryPlan {
  checkWindow(query, now);
  const { interval = '1d', startTs, endTs, fidelity } = query;
  // If upstream's clock is ahead of ours, its newest point is later than now.
  const latestEnd = now + UPSTREAM_CLOCK_TOLERANCE_SECONDS;
  const end = Math.min(endTs ?? latestEnd, latestEnd);
  if (startTs !== undefined) return windowPlan({ start: startTs, end }, fidelity, now);
  if (interval === 'max') return wholeLifePlan(end, fidelity);
  if (interval === '3m') {
    const start = now - MAX_WINDOW_AGE_SECONDS + UPSTREAM_CLOCK_TOLERANCE_SECONDS;
    return windowPlan({ start, end }, fidelity, now);
  }
  return intervalPlan(interval, end, fidelity);
}

/** @throws ServiceError `invalid_parameter` (400) for times that contradict each other */
function checkWindow({ interval, startTs, endTs }: HistoryQuery, now: UnixSeconds): void {
  const invalid = (sentence: string) => new ServiceError('invalid_parameter', sentence);
  if (startTs === undefined) {
    if (endTs !== undefined)
      throw invalid('The parameter endTs needs startTs. Send both, or neither.');
    return;
  }
  if (interval !== undefined) {
    throw invalid(
      'The parameter interval cannot be combined with startTs. Send interval, or startTs with or without endTs.',
    );
  }
  if (endTs !== undefined && endTs <= startTs)
    throw invalid('The parameter endTs must be greater than startTs.');
  if (startTs > now) {
    throw invalid(
      `The parameter startTs must not be in the future: in Unix seconds, now is ${now}.`,
    );
  }
}

/** In minutes: points are half a day apart, unless the caller requests another fidelity. */
const WHOLE_LIFE_DEFAULT_FIDELITY = 720;

/**
 * The plan of a whole life: one call. `mergeHistory` thins its points if `requested` is coarser.
 */
function wholeLifePlan(end: UnixSeconds, requested: number | undefined): HistoryPlan {
  const fidelity = Math.max(WHOLE_LIFE.fidelity, requested ?? WHOLE_LIFE_DEFAULT_FIDELITY);
  return { fidelity, start: 0, end, spans: [WHOLE_LIFE] };
}

/** The plan of an interval that upstream has: one call. */
function intervalPlan(
  interval: keyof typeof INTERVALS,
  end: UnixSeconds,
  requested: number | undefined,
): HistoryPlan {
  const { seconds, finestFidelity } = INTERVALS[interval];
  const fidelity = Math.max(finestFidelity, requested ?? finestFidelity);
  // A call for an hour cannot have points that are further apart than an hour.
  const callFidelity = Math.min(fidelity, MAX_CALL_FIDELITY, seconds / MINUTE_SECONDS);
  return {
    fidelity,
    start: 0,
    end,
    spans: [{ kind: 'interval', interval, fidelity: callFidelity }],
  };
}

/**
 * The plan of a window. If its points are at least three hours apart, one call for the whole life
 * has them all; windows would take up to seven calls. If that call fails, windows replace it,
 * except for points older than 90 days, which they do not have.
 */
function windowPlan(
  window: Pick<HistoryPlan, 'start' | 'end'>,
  requested: number | undefined,
  now: UnixSeconds,
): HistoryPlan {
  const { start } = window;
  const age = now - start;
  // The plan can end a minute after now, but no call does.
  const end = Math.min(window.end, now);
  const finest = storedFidelity(age);
  const fidelity = Math.max(finest, requested ?? defaultFidelity(finest, end - start));
  const spans = windows(start, end, fidelity);
  if (fidelity < WHOLE_LIFE.fidelity) return { ...window, fidelity, spans };
  const wholeLife = { ...window, fidelity, spans: [WHOLE_LIFE] };
  const isOld = age + UPSTREAM_CLOCK_TOLERANCE_SECONDS > MAX_WINDOW_AGE_SECONDS;
  return isOld ? wholeLife : { ...wholeLife, fallback: spans };
}

/**
 * The finest fidelity that upstream stores for points of this age.
 *
 * @param age in seconds
 * @returns minutes
 */
export function storedFidelity(age: number): number {
  const stored = STORED.find(
    ({ maxAgeSeconds }) => age + UPSTREAM_CLOCK_TOLERANCE_SECONDS <= maxAgeSeconds,
  );
  return stored?.fidelity ?? WHOLE_LIFE.fidelity;
}

/**
 * A window without a fidelity gets the finest of these with at most `MAX_DEFAULT_POINTS` points,
 * because such a window can take seven calls.
 */
const DEFAULT_FIDELITIES = [1, 5, 30, 180, 720, 1_440] as const;
const MAX_DEFAULT_POINTS = 2_500;

/** The fidelity of a window for which the caller requests none. @param seconds its length */
function defaultFidelity(finest: number, seconds: number): number {
  const fidelity = DEFAULT_FIDELITIES.find(
    (minutes) => minutes >= finest && seconds / (minutes * MINUTE_SECONDS) <= MAX_DEFAULT_POINTS,
  );
  return fidelity ?? MAX_CALL_FIDELITY;
}

/**
 * Divides a time into windows as long as upstream allows. Each begins at a multiple of the step, so
 * no step is split. Ninety days take at most seven windows.
 */
function windows(start: UnixSeconds, end: UnixSeconds, fidelity: number): HistorySpan[] {
  const callFidelity = Math.min(fidelity, MAX_CALL_FIDELITY);
  const step = callFidelity * MINUTE_SECONDS;
  const length = Math.floor(MAX_WINDOW_SECONDS / step) * step;
  const firstStep = Math.floor(start / step) * step;
  const spans: HistorySpan[] = [];
  for (let from = firstStep; from <= end; from += length) {
    const until = from + length - 1;
    spans.push({
      kind: 'window',
      start: Math.max(start, from),
      end: Math.min(until, end),
      fidelity: callFidelity,
    });
  }
  return spans;
}
