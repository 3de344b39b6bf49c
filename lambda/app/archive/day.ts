import { ARCHIVE_TTL_SECONDS, FRESH_SECONDS } from '../../core/contract/constants.ts';
import { readInstant } from '../../core/domain/moment.ts';

export const DAY_MS = 86_400_000;
/** Readers have no fresh data in a longer gap. */
const MAX_GAP_MS = FRESH_SECONDS * 1_000;

/** Days after a day in which its snapshots still exist. */
export const DAYS_TO_REPAIR = (ARCHIVE_TTL_SECONDS * 1_000) / DAY_MS - 1;

/** A day in UTC. Times are Unix ms; `end` is the start of the next day. */
export interface Day {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly start: number;
  readonly end: number;
}

export interface Gap {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
}

/** @param time Unix ms @param days 1: the next day */
export function dayOf(time: number, days = 0): Day {
  const start = Math.floor(time / DAY_MS) * DAY_MS + days * DAY_MS;
  return { date: new Date(start).toISOString().slice(0, 10), start, end: start + DAY_MS };
}

/** @returns undefined for anything but `YYYY-MM-DD`, and for days that do not exist */
export function readDay(date: string): Day | undefined {
  const start = /^\d{4}-\d\d-\d\d$/.test(date) ? readInstant(date) : undefined;
  return start === undefined ? undefined : dayOf(start);
}

/**
 * The gaps of a day, within its edges. Without a known snapshot beyond an edge, the edge counts as one.
 *
 * @param times of snapshots, also shortly before and after the day; Unix ms, ascending
 */
export function gapsOf({ start, end }: Day, times: readonly number[]): Gap[] {
  const before = times.findLast((time) => time < start) ?? start;
  const after = times.find((time) => time >= end) ?? end;
  const inDay = times.filter((time) => time >= start && time < end);
  const steps = [before, ...inDay].map((from, n) => [from, inDay[n] ?? after] as const);
  return steps
    .filter(([from, to]) => to - from > MAX_GAP_MS)
    .map(([from, to]) => gap(Math.max(from, start), Math.min(to, end)));
}

function gap(from: number, to: number): Gap {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), seconds: (to - from) / 1_000 };
}
