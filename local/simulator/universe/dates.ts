/**
 * Dates of the simulator. Times are Unix ms; days are UTC. The service has the same constants, but
 * outside of `archive/` the simulator imports nothing of the service.
 */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_SECONDS = HOUR_MS / 1_000;
export const DAY_SECONDS = DAY_MS / 1_000;
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

export function monthName(ms: number): string {
  return MONTHS[new Date(ms).getUTCMonth()] ?? '';
}

/** A day as questions name it: `November 23`. */
export function dayName(ms: number): string {
  return `${monthName(ms)} ${new Date(ms).getUTCDate()}`;
}

export function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

/**
 * A date that returns each year, or only in years whose division by `everyYears` leaves
 * `remainder`. `{ month: 11, day: 7, everyYears: 4, remainder: 0 }` is an election day.
 */
export interface YearlyDate {
  /** Counted from 1. */
  readonly month: number;
  readonly day: number;
  readonly everyYears?: number;
  readonly remainder?: number;
}

/** The next time of a yearly date that is at least a week ahead. */
export function nextDate(
  today: number,
  { month, day, everyYears = 1, remainder = 0 }: YearlyDate,
): number {
  const soon = today + 7 * DAY_MS;
  let year = yearOf(today);
  while (year % everyYears !== remainder || Date.UTC(year, month - 1, day) < soon) year += 1;
  return Date.UTC(year, month - 1, day);
}

/** The end of a month at least a week ahead. @param months 0: the next one; 1: the one after */
export function monthEnd(today: number, months: number): number {
  const soon = new Date(today + 7 * DAY_MS);
  return Date.UTC(soon.getUTCFullYear(), soon.getUTCMonth() + 1 + months, 0);
}

/** RFC 3339 without milliseconds. */
export function isoDate(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '');
}
