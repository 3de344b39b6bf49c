/**
 * Reads times that callers and upstream send. An instant is an absolute time, such as
 * "2026-11-20T12:00:00Z". A moment is an instant, or relative to the time of the data: "+24h".
 */
import type { Moment } from '../contract/parameters.ts';
import { DAY_MS, HOUR_MS, SECOND_MS, type UnixMs } from './time.ts';

const UNITS = { h: HOUR_MS, d: DAY_MS } as const;

/** "+24h" or "7d". A `+` in a query string arrives as a space. */
const RELATIVE = /^[+ ]?(?<count>\d{1,5})(?<unit>[hd])$/;
/** "2026-11-20" */
const DATE = String.raw`(?<date>\d{4}-(?<month>\d\d)-\d\d)`;
/** "23:59" */
const HOURS_MINUTES = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
/** "12:00:00" or "12:00:00.5" */
const TIME = String.raw`(?<time>${HOURS_MINUTES}:[0-5]\d)(?<fraction>\.\d+)?`;
/** "Z", "+01:00" or "-05:00" */
const ZONE = `(?:[Zz]|(?<sign>[+ -])(?<offset>${HOURS_MINUTES}))`;
/** "2026-11-20" or "2026-11-20T12:00:00.5+01:00" */
const INSTANT = new RegExp(`^${DATE}(?:[Tt]${TIME}${ZONE})?$`);

/**
 * Reads an instant, or a time relative to that of the data.
 *
 * @returns undefined for anything else, including days and times that do not exist
 */
export function readMoment(text: string): Moment | undefined {
  const { count, unit } = RELATIVE.exec(text)?.groups ?? {};
  if (count !== undefined) {
    return { kind: 'after', milliseconds: Number(count) * UNITS[unit as keyof typeof UNITS] };
  }
  const time = readInstant(text);
  return time === undefined ? undefined : { kind: 'at', time };
}

/** The absolute time of a moment. @param asOf the time of the data, where a relative one starts */
export function timeOf(moment: Moment, asOf: UnixMs): UnixMs {
  return moment.kind === 'at' ? moment.time : asOf + moment.milliseconds;
}

/**
 * Reads RFC 3339 without leap seconds, or `YYYY-MM-DD`, which means midnight UTC.
 *
 * @returns undefined for anything else, including days and times that do not exist
 */
export function readInstant(text: string): UnixMs | undefined {
  const { groups } = INSTANT.exec(text) ?? {};
  if (!groups) return undefined;
  const { date, month, time = '00:00:00', fraction = '', sign, offset = '00:00' } = groups;
  const midnight = new Date(`${date}T00:00Z`);
  // JavaScript moves February 30 into March, and makes the month of day 32 NaN.
  if (midnight.getUTCMonth() + 1 !== Number(month)) return undefined;
  const fractionMs = Math.floor(Number(`0${fraction}`) * SECOND_MS);
  const localTime = Date.parse(`${date}T${time}Z`) + fractionMs;
  const offsetMs = Date.parse(`1970-01-01T${offset}Z`);
  // The sign is "-", "+", the space that a "+" became, or absent with "Z".
  return sign === '-' ? localTime + offsetMs : localTime - offsetMs;
}
