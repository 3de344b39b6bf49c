import { ARCHIVE_TTL_SECONDS, FRESH_SECONDS } from '../../core/contract/constants.ts';
import { readInstant } from '../../core/domain/moment.ts';
import { DAY_MS, DAY_SECONDS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';

/** In a longer gap readers have no fresh data. */
const MAX_GAP_MS = FRESH_SECONDS * SECOND_MS;

/** A day's snapshots exist for this many days after it. */
export const DAYS_TO_REPAIR = ARCHIVE_TTL_SECONDS / DAY_SECONDS - 1;

/** UTC; `end` is the start of the next day. */
export interface Day {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly start: UnixMs;
  readonly end: UnixMs;
}

export interface Gap {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
}

/** @param days 1: the next day */
export function dayOf(time: UnixMs, days = 0): Day {
  const start = Math.floor(time / DAY_MS) * DAY_MS + days * DAY_MS;
  return { date: new Date(start).toISOString().slice(0, 10), start, end: start + DAY_MS };
}

/** @returns undefined unless an existing `YYYY-MM-DD` */
export function readDay(date: string): Day | undefined {
  const start = /^\d{4}-\d\d-\d\d$/.test(date) ? readInstant(date) : undefined;
  return start === undefined ? undefined : dayOf(start);
}

/**
 * Within the day. Without a snapshot beyond an edge, the edge counts as one.
 *
 * @param times of snapshots, ascending, including those shortly before and after the day
 */
export function gapsOf({ start, end }: Day, times: readonly UnixMs[]): Gap[] {
  const before = times.findLast((time) => time < start) ?? start;
  const after = times.find((time) => time >= end) ?? end;
  const inDay = times.filter((time) => time >= start && time < end);
  const steps = [before, ...inDay].map((from, n) => [from, inDay[n] ?? after] as const);
  return steps
    .filter(([from, to]) => to - from > MAX_GAP_MS)
    .map(([from, to]) => gap(Math.max(from, start), Math.min(to, end)));
}

function gap(from: UnixMs, to: UnixMs): Gap {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), seconds: (to - from) / SECOND_MS };
}
