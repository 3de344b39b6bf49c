import type { PricePoint } from './change.ts';
import { ServiceError } from './service-error.ts';
import { DAY_SECONDS, MINUTE_SECONDS, type UnixSeconds } from './time.ts';

/** The part of a price history that one call returns. `fidelity`: minutes between points. */
export type HistorySpan =
  | { readonly kind: 'interval'; readonly interval: UpstreamInterval; readonly fidelity: number }
  /** Both ends included. */
  | { readonly kind: 'window'; readonly start: UnixSeconds; readonly end: UnixSeconds; readonly fidelity: number };

/** What a caller requests: an interval, or a window with both ends included. */
export interface HistoryQuery {
  readonly interval?: HistoryInterval | undefined;
  readonly startTs?: UnixSeconds | undefined;
  /** Undefined: until now. */
  readonly endTs?: UnixSeconds | undefined;
  readonly fidelity?: number | undefined;
}

/** How the service reads a history from upstream. Both ends are included. */
export interface HistoryPlan {
  /** Minutes between the points of the response. */
  readonly fidelity: number;
  readonly start: UnixSeconds;
  readonly end: UnixSeconds;
  /** Oldest first. */
  readonly spans: readonly HistorySpan[];
}

/** The longest window that upstream accepts, in seconds (docs/upstream.md). */
export const MAX_WINDOW_SECONDS = 15 * DAY_SECONDS;
/** Older prices come from the permanent series of 3-hour points. */
const MAX_WINDOWED_AGE = 90 * DAY_SECONDS;
/** Seconds. Upstream's clock differs, and a call takes time. */
const UPSTREAM_CLOCK_TOLERANCE = 60;

/** How long upstream stores its points at least (docs/upstream.md, "Data API"). */
const STORED = [
  { fidelity: 1, seconds: 7 * DAY_SECONDS },
  { fidelity: 5, seconds: 60 * DAY_SECONDS },
  { fidelity: 30, seconds: MAX_WINDOWED_AGE },
  { fidelity: 180, seconds: Number.POSITIVE_INFINITY },
] as const;

/** A request without a fidelity gets the finest of these with at most this number of points. */
const DEFAULT_FIDELITIES = [1, 5, 30, 180, 720, 1_440] as const;
const MAX_DEFAULT_POINTS = 2_500;

/** Upstream's own intervals, and the finest fidelity that all of its routes accept for them. */
const INTERVALS = {
  '1h': { seconds: DAY_SECONDS / 24, finest: 1 },
  '6h': { seconds: DAY_SECONDS / 4, finest: 1 },
  '1d': { seconds: DAY_SECONDS, finest: 1 },
  '1w': { seconds: 7 * DAY_SECONDS, finest: 5 },
  '1m': { seconds: 30 * DAY_SECONDS, finest: 10 },
} as const;

type UpstreamInterval = keyof typeof INTERVALS | 'max';
/** Upstream has no `3m` (its "1m" is one month). */
type HistoryInterval = UpstreamInterval | '3m';

/** The finest fidelity that upstream stores for a point of this age, in seconds. */
export function storedFidelity(age: number): number {
  return STORED.find(({ seconds }) => age + UPSTREAM_CLOCK_TOLERANCE <= seconds)?.fidelity ?? 180;
}

/**
 * @throws ServiceError `invalid_parameter` (400) for a window that cannot be
 */
export function historyPlan(request: HistoryQuery, now: UnixSeconds): HistoryPlan {
  checkWindow(request, now);
  const { interval = '1d', startTs, endTs = now, fidelity } = request;
  if (startTs !== undefined) return windowPlan(startTs, Math.min(endTs, now), fidelity, now);
  if (interval === 'max') return wholeLife(fidelity, now);
  if (interval === '3m') return windowPlan(now - MAX_WINDOWED_AGE + UPSTREAM_CLOCK_TOLERANCE, now, fidelity, now);
  const { seconds, finest } = INTERVALS[interval];
  const chosen = chooseFidelity(fidelity, finest, seconds);
  return {
    fidelity: chosen,
    start: 0,
    end: now,
    spans: [{ kind: 'interval', interval, fidelity: Math.min(callFidelity(chosen), seconds / MINUTE_SECONDS) }],
  };
}

function checkWindow({ interval, startTs, endTs }: HistoryQuery, now: UnixSeconds): void {
  const invalid = (sentence: string) => new ServiceError('invalid_parameter', sentence);
  if (startTs === undefined) {
    if (endTs !== undefined) throw invalid('The parameter endTs needs startTs. Send both, or neither.');
    return;
  }
  if (interval !== undefined) {
    throw invalid(
      'The parameter interval cannot be combined with startTs. Send interval, or startTs with or without endTs.',
    );
  }
  if (endTs !== undefined && endTs <= startTs) throw invalid('The parameter endTs must be greater than startTs.');
  if (startTs > now) {
    throw invalid(`The parameter startTs must not be in the future: it is in Unix seconds, and now is ${now}.`);
  }
}

/** @param finest the finest that upstream gives @param seconds length of the history */
function chooseFidelity(requested: number | undefined, finest: number, seconds: number): number {
  const defaultFidelity = DEFAULT_FIDELITIES.find(
    (one) => one >= finest && seconds / (one * MINUTE_SECONDS) <= MAX_DEFAULT_POINTS,
  );
  return Math.max(finest, requested ?? defaultFidelity ?? DAY_SECONDS / MINUTE_SECONDS);
}

/** No route of upstream has points that are further apart than a day. */
function callFidelity(fidelity: number): number {
  return Math.min(fidelity, DAY_SECONDS / MINUTE_SECONDS);
}

function windowPlan(
  start: UnixSeconds,
  end: UnixSeconds,
  requested: number | undefined,
  now: UnixSeconds,
): HistoryPlan {
  const fidelity = chooseFidelity(requested, storedFidelity(now - start), end - start);
  const isOld = now - start + UPSTREAM_CLOCK_TOLERANCE > MAX_WINDOWED_AGE;
  const spans: HistorySpan[] = isOld
    ? [{ kind: 'interval', interval: 'max', fidelity: 180 }]
    : windows(start, end, fidelity);
  return { fidelity, start, end, spans };
}

/** Upstream stores two series for ever: 12-hour and 3-hour points. */
function wholeLife(requested: number | undefined, now: UnixSeconds): HistoryPlan {
  const fidelity = requested !== undefined && requested <= 180 ? 180 : Math.max(720, requested ?? 720);
  return {
    fidelity,
    start: 0,
    end: now,
    spans: [{ kind: 'interval', interval: 'max', fidelity: callFidelity(fidelity) }],
  };
}

/** Windows of whole steps, as long as upstream allows. Ninety days take at most seven. */
function windows(start: UnixSeconds, end: UnixSeconds, fidelity: number): HistorySpan[] {
  const step = callFidelity(fidelity) * MINUTE_SECONDS;
  const length = Math.floor(MAX_WINDOW_SECONDS / step) * step;
  const count = Math.ceil((end - start + 1) / length);
  return Array.from({ length: count }, (_, n) => ({
    kind: 'window',
    start: start + n * length,
    end: Math.min(start + (n + 1) * length - 1, end),
    fidelity: step / MINUTE_SECONDS,
  }));
}

/**
 * One ascending series with one spacing. Upstream's points are unevenly spaced: each moves to its step, and the point
 * nearest to the step is its price. A step without a point stays empty. The payout of a resolved token comes last.
 *
 * @param parts what upstream returned for each span, oldest first
 */
export function uniformHistory(
  { fidelity, start, end }: HistoryPlan,
  parts: readonly { readonly span: HistorySpan; readonly points: readonly PricePoint[] }[],
): PricePoint[] {
  const step = fidelity * MINUTE_SECONDS;
  const lastPart = parts.findLastIndex(({ points }) => points.length > 0);
  const points = parts
    .flatMap(({ span, points: some }, n) => some.filter((one) => isIn(span, one) && (n === lastPart || !one.isPayout)))
    .filter(({ t }) => t >= start && t <= end)
    .sort((a, b) => a.t - b.t);
  const { middle, origin } = gridOf(points, step);
  const nearest = new Map<UnixSeconds, PricePoint>();
  for (const point of points) {
    const time = Math.round((point.t - middle) / step) * step + origin;
    const before = nearest.get(time);
    if (point.isPayout) nearest.set(Math.max(time > end ? time - step : time, start), point);
    else if (time < start || time > end) continue;
    else if (!before || Math.abs(point.t - time) < Math.abs(before.t - time)) nearest.set(time, point);
  }
  return [...nearest].map(([t, { p }]) => ({ t, p }));
}

function isIn(span: HistorySpan, { t }: PricePoint): boolean {
  return Number.isSafeInteger(t) && (span.kind === 'interval' || (t >= span.start && t <= span.end));
}

/** Length of the mean of directions: 1 for points at one place of a step, 0 for points everywhere in it. */
const MIN_CONCENTRATION = 0.5;

/**
 * Where steps begin (`origin`) and where their points lie (`middle`), after a multiple of the step. Even points keep
 * their times. Points around one place (upstream reads prices some seconds early or late) move to the nearest multiple,
 * other points to the multiple before them. The newest points do not count: they lie off the grid (docs/upstream.md).
 */
function gridOf(points: readonly PricePoint[], step: number): { readonly middle: number; readonly origin: number } {
  const newest = points.at(-1)?.t ?? 0;
  const places = points.filter(({ t }, n) => n === 0 || t <= newest - step).map(({ t }) => t % step);
  const [first = 0] = places;
  if (places.every((place) => place === first)) return { middle: first, origin: first };
  // The mean of directions on a circle: the end of a step is next to the beginning of the next one.
  const angles = places.map((place) => (place / step) * 2 * Math.PI);
  const [x, y] = [Math.cos, Math.sin].map(
    (part) => angles.reduce((sum, angle) => sum + part(angle), 0) / angles.length,
  );
  const isConcentrated = Math.hypot(x ?? 0, y ?? 0) > MIN_CONCENTRATION;
  return { middle: isConcentrated ? (Math.atan2(y ?? 0, x ?? 0) / 2 / Math.PI) * step : step / 2, origin: 0 };
}
