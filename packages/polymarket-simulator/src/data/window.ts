import type { SimulatedResponse } from '../http/response.ts';
import { dataError } from './errors.ts';

/** The window rules of `/v2/prices-history`; times are unix seconds. */
export interface DataWindow {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive where it was given, else now. */
  readonly to: number;
  /** Seconds of a bucket; 0 where nothing is kept that finely any more. */
  readonly bucket: number;
  /** One point: the last observation at or before `to`. */
  readonly single: boolean;
}

const DAY = 86_400;
const INTERVALS: Readonly<Record<string, { seconds: number; floor: number; bucket: number }>> = {
  max: { seconds: 1_500 * DAY, floor: 600, bucket: 43_200 },
  all: { seconds: 1_500 * DAY, floor: 600, bucket: 43_200 },
  '1m': { seconds: 31 * DAY, floor: 600, bucket: 1_800 },
  '1w': { seconds: 7 * DAY, floor: 300, bucket: 300 },
  '1d': { seconds: DAY, floor: 60, bucket: 60 },
  '6h': { seconds: 6 * 3_600, floor: 60, bucket: 60 },
  '1h': { seconds: 3_600, floor: 60, bucket: 60 },
};
/** How long observations of each fineness are kept at least, seconds. */
const KEPT: readonly (readonly [resolution: number, seconds: number])[] = [
  [60, 7 * DAY],
  [300, 60 * DAY],
  [1_800, 90 * DAY],
  [10_800, Number.POSITIVE_INFINITY],
  [43_200, Number.POSITIVE_INFINITY],
];
const WINDOW_CAP = 15 * DAY;
/** Left-out buckets of explicit windows stay under this many points; over 12 hours they are never of a minute. */
const MOST_POINTS = 2_500;
const BUCKETS = { min: 60, max: 86_400 };

/** The window of a query, or the 400 it gets. Every name may be in snake or in camel case. */
export function readDataWindow(query: URLSearchParams, now: number): DataWindow | SimulatedResponse {
  const [interval, start, end, asOf, bucketText] = [
    'interval',
    'start',
    'end',
    'as_of',
    'bucket_seconds',
  ].map((name) => named(query, name));
  const bucket = bucketText === undefined ? undefined : wholeNumber(bucketText);
  if (bucketText !== undefined && (bucket === undefined || bucket < BUCKETS.min || bucket > BUCKETS.max)) {
    return refuse('bucket_seconds must be between 60 and 86400', 'bucket_seconds');
  }
  const forms = [interval, start, asOf].filter((form) => form !== undefined).length;
  if (forms !== 1 || (end !== undefined && start === undefined)) {
    return refuse('exactly one of interval, start (with optional end) or as_of is required');
  }
  if (interval !== undefined) return ofInterval(interval, bucket, now);
  if (asOf !== undefined) {
    const at = wholeNumber(asOf);
    if (at === undefined || at === 0) return refuse('as_of must be a positive epoch in seconds', 'as_of');
    return { from: 0, to: at, bucket: bucket ?? coarsestFor(at, now), single: true };
  }
  const from = wholeNumber(start ?? '');
  const to = end === undefined ? now : wholeNumber(end);
  if (from === undefined || from === 0) return refuse('start must be a positive epoch in seconds', 'start');
  if (to === undefined || to === 0) return refuse('end must be a positive epoch in seconds', 'end');
  if (to <= from) return refuse('end must be after start', 'end');
  if (to - from > WINDOW_CAP) return refuse('the window must not exceed 15 days', 'start');
  return { from, to, bucket: kept(bucket ?? fitting(from, to, now), from, now), single: false };
}

function ofInterval(name: string, bucket: number | undefined, now: number): DataWindow | SimulatedResponse {
  const interval = Object.hasOwn(INTERVALS, name) ? INTERVALS[name] : undefined;
  if (interval === undefined) {
    return refuse('interval must be one of max, all, 1m, 1w, 1d, 6h, 1h', 'interval');
  }
  if (bucket !== undefined && bucket < interval.floor) {
    return refuse(`bucket_seconds must be at least ${interval.floor} for interval ${name}`, 'bucket_seconds');
  }
  const size = bucket ?? interval.bucket;
  // `max` and `all` begin where observations of this size begin.
  const age = KEPT.findLast(([seconds]) => seconds <= size)?.[1] ?? 0;
  return { from: now - Math.min(interval.seconds, age), to: now, bucket: size, single: false };
}

/** 0 where a bucket of this size is finer than what is kept of the window's beginning. */
function kept(bucket: number, from: number, now: number): number {
  const resolution = KEPT.findLast(([seconds]) => seconds <= bucket);
  return resolution !== undefined && now - from <= resolution[1] ? bucket : 0;
}

function fitting(from: number, to: number, now: number): number {
  const span = to - from;
  const [found] =
    KEPT.find(
      ([seconds, age]) =>
        span / seconds < MOST_POINTS && now - from <= age && (seconds > 60 || span <= 12 * 3_600),
    ) ?? [];
  return found ?? 43_200;
}

function coarsestFor(at: number, now: number): number {
  return KEPT.find(([, age]) => now - at <= age)?.[0] ?? 43_200;
}

/** A parameter under its snake-case name or its camel-case one. */
export function named(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? query.get(camelCase(name)) ?? undefined;
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function wholeNumber(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

function refuse(error: string, parameter?: string): SimulatedResponse {
  return dataError('invalid_request', error, parameter);
}
