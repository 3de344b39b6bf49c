/**
 * The plan of a price history: which calls to upstream read it, and how their points become one
 * series. Each route of upstream has limits for the length, the age and the fidelity of a call.
 */
import type { PricePoint } from './change.ts';
import { ServiceError } from './service-error.ts';
import { DAY_SECONDS, MINUTE_SECONDS, type UnixSeconds } from './time.ts';

/**
 * The part of a history that one call returns. A window includes both ends. `fidelity`: minutes
 * between points.
 */
export type HistorySpan =
  | { readonly kind: 'interval'; readonly interval: UpstreamInterval; readonly fidelity: number }
  | {
      readonly kind: 'window';
      readonly start: UnixSeconds;
      readonly end: UnixSeconds;
      readonly fidelity: number;
    };

/** What a caller requests: an interval, or a window with both ends included. */
export interface HistoryQuery {
  readonly interval?: HistoryInterval | undefined;
  readonly startTs?: UnixSeconds | undefined;
  /** Undefined means until now. */
  readonly endTs?: UnixSeconds | undefined;
  readonly fidelity?: number | undefined;
}

/** The upstream calls of a history. Both ends are included. */
export interface HistoryPlan {
  /** In minutes; at most one point in each step. */
  readonly fidelity: number;
  readonly start: UnixSeconds;
  readonly end: UnixSeconds;
  /** Oldest first. */
  readonly spans: readonly HistorySpan[];
  /** The calls to CLOB if the Data API fails; oldest first. */
  readonly fallback?: readonly HistorySpan[];
}

/** What upstream returned for a span. */
interface HistoryPart {
  readonly span: HistorySpan;
  readonly points: readonly PricePoint[];
}

/** The longest window that upstream accepts (docs/upstream.md). */
export const MAX_WINDOW_SECONDS = 15 * DAY_SECONDS;
/** In seconds. For older points, upstream has only the 3-hour series. */
const MAX_WINDOWED_AGE = 90 * DAY_SECONDS;
/** The whole life of a market, in the finest buckets that upstream stores forever. */
export const WHOLE_LIFE: HistorySpan = { kind: 'interval', interval: 'max', fidelity: 180 };
/** In minutes: points are half a day apart, unless the caller requests another fidelity. */
const WHOLE_LIFE_DEFAULT_FIDELITY = 720;
/** In seconds. Upstream's clock can differ from ours by this much, and a call takes time. */
const UPSTREAM_CLOCK_TOLERANCE = 60;

/**
 * Upstream stores points of each fidelity, in minutes, for at least this time (docs/upstream.md,
 * "Data API").
 */
const STORED = [
  { fidelity: 1, seconds: 7 * DAY_SECONDS },
  { fidelity: 5, seconds: 60 * DAY_SECONDS },
  { fidelity: 30, seconds: MAX_WINDOWED_AGE },
  { fidelity: WHOLE_LIFE.fidelity, seconds: Number.POSITIVE_INFINITY },
] as const;

/**
 * Fidelities in minutes. A window without a fidelity gets the finest of these with at most
 * `MAX_DEFAULT_POINTS` points, because such a window can take seven calls.
 */
const DEFAULT_FIDELITIES = [1, 5, 30, 180, 720, 1_440] as const;
const MAX_DEFAULT_POINTS = 2_500;

/**
 * Upstream's intervals, and the finest fidelity that all its routes accept. It is the default, so
 * that a caller gets the points that upstream has: at most 4,320, from one call.
 */
const INTERVALS = {
  '1h': { seconds: DAY_SECONDS / 24, finest: 1 },
  '6h': { seconds: DAY_SECONDS / 4, finest: 1 },
  '1d': { seconds: DAY_SECONDS, finest: 1 },
  '1w': { seconds: 7 * DAY_SECONDS, finest: 5 },
  '1m': { seconds: 30 * DAY_SECONDS, finest: 10 },
} as const;

type UpstreamInterval = keyof typeof INTERVALS | 'max';
/** Upstream has no `3m`; its "1m" is one month. */
type HistoryInterval = UpstreamInterval | '3m';

/**
 * The finest fidelity that upstream stores for points of this age.
 *
 * @param age in seconds
 * @returns minutes
 */
export function storedFidelity(age: number): number {
  return (
    STORED.find(({ seconds }) => age + UPSTREAM_CLOCK_TOLERANCE <= seconds)?.fidelity ??
    WHOLE_LIFE.fidelity
  );
}

/**
 * Plans the calls that read a history from upstream.
 *
 * @throws ServiceError `invalid_parameter` (400) for an impossible window
 */
export function historyPlan(request: HistoryQuery, now: UnixSeconds): HistoryPlan {
  checkWindow(request, now);
  const { interval = '1d', startTs, endTs, fidelity: requested } = request;
  const latestEnd = now + UPSTREAM_CLOCK_TOLERANCE;
  const end = Math.min(endTs ?? latestEnd, latestEnd);
  if (startTs !== undefined) return windowPlan({ start: startTs, end }, requested, now);
  if (interval === 'max') {
    const fidelity = Math.max(WHOLE_LIFE.fidelity, requested ?? WHOLE_LIFE_DEFAULT_FIDELITY);
    return { fidelity, start: 0, end, spans: [WHOLE_LIFE] };
  }
  if (interval === '3m') {
    const start = now - MAX_WINDOWED_AGE + UPSTREAM_CLOCK_TOLERANCE;
    return windowPlan({ start, end }, requested, now);
  }
  const { seconds, finest } = INTERVALS[interval];
  const fidelity = Math.max(finest, requested ?? finest);
  // A call for an hour cannot have points that are further apart than an hour.
  const spanFidelity = Math.min(callFidelity(fidelity), seconds / MINUTE_SECONDS);
  const span = { kind: 'interval', interval, fidelity: spanFidelity } as const;
  return { fidelity, start: 0, end, spans: [span] };
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

/**
 * The fidelity of a window: the requested or the default one, but not finer than upstream's finest.
 *
 * @param finest the finest that upstream gives
 * @param seconds length of the history
 */
function chooseFidelity(requested: number | undefined, finest: number, seconds: number): number {
  const defaultFidelity = DEFAULT_FIDELITIES.find(
    (one) => one >= finest && seconds / (one * MINUTE_SECONDS) <= MAX_DEFAULT_POINTS,
  );
  return Math.max(finest, requested ?? defaultFidelity ?? DAY_SECONDS / MINUTE_SECONDS);
}

/** The fidelity of a call, in minutes. Upstream's points are at most a day apart. */
function callFidelity(fidelity: number): number {
  return Math.min(fidelity, DAY_SECONDS / MINUTE_SECONDS);
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
  const end = Math.min(window.end, now);
  const fidelity = chooseFidelity(requested, storedFidelity(age), end - start);
  const plan = { ...window, fidelity };
  if (fidelity < WHOLE_LIFE.fidelity) return { ...plan, spans: windows(start, end, fidelity) };
  const isOld = age + UPSTREAM_CLOCK_TOLERANCE > MAX_WINDOWED_AGE;
  return {
    ...plan,
    spans: [WHOLE_LIFE],
    ...(isOld ? {} : { fallback: windows(start, end, fidelity) }),
  };
}

/**
 * Divides a time into windows as long as upstream allows. Each begins at a multiple of the step, so
 * no step is split. Ninety days take at most seven windows.
 */
function windows(start: UnixSeconds, end: UnixSeconds, fidelity: number): HistorySpan[] {
  const step = callFidelity(fidelity) * MINUTE_SECONDS;
  const length = Math.floor(MAX_WINDOW_SECONDS / step) * step;
  const first = Math.floor(start / step) * step;
  const count = Math.ceil((end - first + 1) / length);
  return Array.from({ length: count }, (_, n) => ({
    kind: 'window',
    start: Math.max(start, first + n * length),
    end: Math.min(first + (n + 1) * length - 1, end),
    fidelity: step / MINUTE_SECONDS,
  }));
}

/**
 * Merges the parts into one series: the latest point of each step (steps count from 1970, UTC),
 * with upstream's time and price. A payout follows the last point, at upstream's time or a second
 * later.
 *
 * @param parts by span, oldest first
 */
export function mergeHistory(
  { fidelity, start, end }: HistoryPlan,
  parts: readonly HistoryPart[],
): PricePoint[] {
  const step = fidelity * MINUTE_SECONDS;
  const observed = parts.flatMap(({ span, points }, index) => {
    const isLastPart = index === parts.length - 1;
    const from = span.kind === 'window' ? Math.max(span.start, start) : start;
    // The end can be a minute after now, but the last window ends now.
    const until = span.kind === 'window' && !isLastPart ? span.end : end;
    return points.filter((point) => point.t >= from && point.t <= until && !point.payout);
  });
  const sorted = observed.sort((a, b) => a.t - b.t);
  // A later point of a step replaces the earlier one.
  const byStep = new Map(sorted.map((point) => [Math.floor(point.t / step), point]));
  const latest = [...byStep.values()];
  const lastPart = parts.findLast(({ points }) => points.length > 0);
  const payout = lastPart?.points.findLast((point) => point.payout);
  if (!payout) return latest;
  const t = Math.max(payout.t, (latest.at(-1)?.t ?? 0) + 1);
  return t >= start && t <= end ? [...latest, { ...payout, t }] : latest;
}
