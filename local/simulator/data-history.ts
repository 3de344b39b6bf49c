/**
 * The simulated Data API's route for price histories. It has one price for each bucket, an interval
 * of a minute to a day.
 */
import { priceOf } from './books.ts';
import { mix } from './random.ts';
import type { OutcomeOf, SimulatedRequest, SimulatedResponse, UpstreamData } from './route.ts';
import { json, wholeNumber } from './route.ts';
import { DAY_SECONDS, HOUR_SECONDS } from './universe/dates.ts';

/** The window of a request, in Unix seconds (`to` is excluded), and its bucket in seconds. */
interface DataWindow {
  readonly from: number;
  readonly to: number;
  readonly bucket: number;
}
/**
 * A point: Unix seconds, a price of 0 to 1, and its bucket in seconds, 0 for a point without one.
 */
type DataPoint = Readonly<Record<'timestamp' | 'price' | 'resolution_seconds', number>>;

/** `GET /v2/prices-history`: the history of one token. An unknown token has no points. */
export function dataHistory(
  { query, now }: SimulatedRequest,
  { outcomes, past }: UpstreamData,
): SimulatedResponse {
  const token = query.get('token_id') ?? '';
  if (!/^\d{1,78}$/.test(token)) return dataError(400, "'token_id' must be a decimal token id");
  const window = readWindow(query, Math.floor(now / 1_000));
  if ('status' in window) return window;
  const found = outcomes.get(token) ?? past().outcomes.get(token);
  const data = found?.market.hasPrices ? pointsOf(found, window, now) : [];
  return json(200, {
    data,
    // The limit of a page is larger than any window, so there is never a second page.
    pagination: { limit: 10_000, offset: 0, has_more: false, next_cursor: null },
  });
}

/** For how many days upstream stores buckets of at least so many seconds (docs/upstream.md). */
const STORED = [
  { minBucket: 60, days: 7 },
  { minBucket: 300, days: 60 },
  { minBucket: 1_800, days: 90 },
  { minBucket: 10_800, days: Number.POSITIVE_INFINITY },
];
/** In seconds. The newest observation of a window is older than its end by less than this. */
const MAX_NEWEST_AGE = 55;

/**
 * The points of a window, oldest first: one for each bucket, then the newest observation, up to
 * 55 s before the end, then the payout of a resolved market.
 */
function pointsOf(found: OutcomeOf, { from, to, bucket }: DataWindow, nowMs: number): DataPoint[] {
  const { market, outcome } = found;
  const now = Math.floor(nowMs / 1_000);
  const start = Math.max(from, Math.ceil(market.createdAt / 1_000));
  const storedDays = STORED.findLast(({ minBucket }) => minBucket <= bucket)?.days ?? 0;
  if (now - start > storedDays * DAY_SECONDS) return [];
  const end = Math.min(to, now, Math.ceil(market.endsAt / 1_000));
  const points = bucketPoints(found, { from: start, to: end, bucket });
  const newest = end - 1 - (mix(market.key, end) % MAX_NEWEST_AGE);
  if (newest > (points.at(-1)?.timestamp ?? start)) points.push(pointAt(found, newest, 0));
  const last = points.at(-1);
  const resolution = market.resolution(nowMs);
  // A window that ends before the last trade has no payout.
  if (last && end < to && resolution?.status === 'resolved') {
    const timestamp = Math.min(last.timestamp + bucket, to - 1);
    points.push({ timestamp, price: resolution.payouts[outcome], resolution_seconds: 0 });
  }
  return points;
}

/** One bucket in this many is empty, so that readers meet gaps. */
const GAP_EVERY = 17;

/** A point at the beginning of each bucket, except for the empty ones. */
function bucketPoints(found: OutcomeOf, { from, to, bucket }: DataWindow): DataPoint[] {
  const points: DataPoint[] = [];
  for (let n = Math.ceil(from / bucket); n * bucket < to; n++) {
    const isEmpty = mix(found.market.key, n) % GAP_EVERY === 0;
    if (!isEmpty) points.push(pointAt(found, n * bucket, bucket));
  }
  return points;
}

function pointAt(found: OutcomeOf, timestamp: number, bucket: number): DataPoint {
  const price = priceOf(found, timestamp * 1_000);
  return { timestamp, price, resolution_seconds: bucket };
}

/** A window that ends now, by its name in a request. All numbers are seconds. */
interface Interval {
  readonly length: number;
  readonly minBucket: number;
  readonly defaultBucket: number;
}

const MINUTES: Interval = { length: HOUR_SECONDS, minBucket: 60, defaultBucket: 60 };
const WHOLE_LIFE: Interval = {
  length: Number.POSITIVE_INFINITY,
  minBucket: 600,
  defaultBucket: 43_200,
};
/** The intervals of upstream (docs/upstream.md). */
const INTERVALS: Readonly<Record<string, Interval>> = {
  '1h': MINUTES,
  '6h': { ...MINUTES, length: 6 * HOUR_SECONDS },
  '1d': { ...MINUTES, length: DAY_SECONDS },
  '1w': { length: 7 * DAY_SECONDS, minBucket: 300, defaultBucket: 300 },
  '1m': { length: 31 * DAY_SECONDS, minBucket: 600, defaultBucket: 1_800 },
  max: WHOLE_LIFE,
  all: WHOLE_LIFE,
};

/** The bucket of a window without `bucket_seconds`, in seconds. */
const WINDOW_BUCKET = 1_800;
/** In seconds. Upstream rejects longer windows (docs/upstream.md). */
const MAX_WINDOW = 15 * DAY_SECONDS;

/** The window of a request, or upstream's rejection of it. */
function readWindow(query: URLSearchParams, now: number): DataWindow | SimulatedResponse {
  const [interval, start, end] = ['interval', 'start', 'end'].map((name) => query.get(name));
  const bucket = wholeNumber(query.get('bucket_seconds'));
  if (bucket !== undefined && (bucket < 60 || bucket > DAY_SECONDS)) {
    return dataError(400, 'bucket_seconds must be between 60 and 86400');
  }
  if (!interval) {
    const from = wholeNumber(start) ?? 0;
    const to = wholeNumber(end ?? now) ?? 0;
    if (from === 0 || to <= from)
      return dataError(400, 'start and end must be positive epochs in seconds');
    if (to - from > MAX_WINDOW) return dataError(400, 'the window must not exceed 15 days');
    return { from, to, bucket: bucket ?? WINDOW_BUCKET };
  }
  const known = INTERVALS[interval];
  if (!known) return dataError(400, 'interval must be one of max, all, 1m, 1w, 1d, 6h, 1h');
  if (start || end)
    return dataError(
      400,
      'exactly one of interval, start (with optional end) or as_of is required',
    );
  const { length, minBucket, defaultBucket } = known;
  if (bucket !== undefined && bucket < minBucket)
    return dataError(400, `bucket_seconds must be at least ${minBucket}`);
  return { from: Math.max(1, now - length), to: now, bucket: bucket ?? defaultBucket };
}

/** An error in the Data API's format. */
export function dataError(status: number, error: string): SimulatedResponse {
  const code = status === 400 ? 'invalid_request' : 'not_found';
  return json(status, { error, code, retryable: false, trace_id: '0' });
}
