/** A day of the archive in UTC: its bounds, the snapshots that it should have, and its gaps. */
import {
  ARCHIVE_TTL_SECONDS,
  MAX_AGE_SECONDS,
  RUN_INTERVAL_SECONDS,
} from '../../core/contract/constants.ts';
import { readInstant } from '../../core/domain/moment.ts';
import { DAY_MS, DAY_SECONDS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { itemAt } from '../../core/domain/values.ts';

/** A longer time without a snapshot is a gap. Readers never serve an older snapshot. */
const MAX_GAP_MS = MAX_AGE_SECONDS * SECOND_MS;

/** For how many days the snapshots of an ended day still exist: the last day loses some already. */
const DAYS_TO_REPAIR = ARCHIVE_TTL_SECONDS / DAY_SECONDS - 1;

/** A day in UTC. `end` is the start of the next day. */
export interface Day {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly start: UnixMs;
  readonly end: UnixMs;
}

/** A time without any snapshot. */
export interface Gap {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
}

/** The times of the snapshots that were published in a day. */
export interface SnapshotTimes {
  /** Those that were read, ascending. Includes the last one before the day and the next after it. */
  readonly found: readonly UnixMs[];
  /** Published, but no longer readable. */
  readonly lost: readonly UnixMs[];
}

/**
 * The UTC day of a time.
 *
 * @param days moves the result: 1 is the next day, -1 the day before
 */
export function dayOf(time: UnixMs, days = 0): Day {
  const start = Math.floor(time / DAY_MS) * DAY_MS + days * DAY_MS;
  return { date: new Date(start).toISOString().slice(0, 10), start, end: start + DAY_MS };
}

/**
 * The days that have ended and whose snapshots still exist. The oldest comes first, because each
 * day follows the markets of the day before.
 */
export function daysToArchive(now: UnixMs): Day[] {
  return Array.from({ length: DAYS_TO_REPAIR }, (_, n) => dayOf(now, n - DAYS_TO_REPAIR));
}

/** Reads a date. @returns undefined unless it is a `YYYY-MM-DD` that exists */
export function readDay(date: string): Day | undefined {
  const start = /^\d{4}-\d\d-\d\d$/.test(date) ? readInstant(date) : undefined;
  return start === undefined ? undefined : dayOf(start);
}

/**
 * Returns the gaps of a day, cut at midnight. A gap is a time between two found snapshots that is
 * longer than 150 s or has a lost snapshot in it. There is no gap before the first snapshot of all.
 */
export function gapsOf({ start, end }: Day, { found, lost }: SnapshotTimes): Gap[] {
  const all = [...found, ...lost];
  // A gap can also begin with the first snapshot of all, if that is lost, or last until midnight.
  const edges = [Math.min(...all), Math.max(end, ...all)];
  const times = [...new Set([...edges, ...found])].sort((a, b) => a - b);
  const gaps: Gap[] = [];
  for (const [n, from] of times.slice(0, -1).entries()) {
    const to = itemAt(times, n + 1);
    const isInDay = from < end && to > start;
    const isLong = to - from > MAX_GAP_MS;
    const hasLost = lost.some((time) => time >= from && time < to);
    if (isInDay && (isLong || hasLost)) gaps.push(gap(Math.max(from, start), Math.min(to, end)));
  }
  return gaps;
}

/**
 * How many snapshots a day should have: one a minute since midnight, or since the first snapshot of
 * all.
 */
export function expectedSnapshots({ start, end }: Day, { found, lost }: SnapshotTimes): number {
  const firstOfAll = Math.min(...found, ...lost);
  const from = Math.max(start, firstOfAll);
  return Math.ceil((end - from) / (RUN_INTERVAL_SECONDS * SECOND_MS));
}

/** A gap with its times as text. */
function gap(from: UnixMs, to: UnixMs): Gap {
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    seconds: (to - from) / SECOND_MS,
  };
}
