/** Reads the dates and times that callers and upstream send. */
import type { Moment } from '../contract/parameters.ts';
import { DAY_MS, HOUR_MS, SECOND_MS, type UnixMs } from './time.ts';

const UNITS = { h: HOUR_MS, d: DAY_MS } as const;

/** Such as "+24h" or "7d". A `+` in a query string arrives as a space. */
const RELATIVE = /^[+ ]?(?<count>\d{1,5})(?<unit>[hd])$/;
/** The parts of `ABSOLUTE`, which is such as "2026-11-20" or "2026-11-20T12:00:00.5+01:00". */
const DATE = String.raw`(?<date>\d{4}-(?<month>\d\d)-\d\d)`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const TIME = String.raw`(?<time>${CLOCK}:[0-5]\d)(?<fraction>\.\d+)?`;
const ZONE = `(?:[Zz]|(?<sign>[+ -])(?<offset>${CLOCK}))`;
const ABSOLUTE = new RegExp(`^${DATE}(?:[Tt]${TIME}${ZONE})?$`);

/**
 * Reads RFC 3339 without leap seconds, `YYYY-MM-DD` (midnight UTC) or a relative moment.
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

/** The time of a moment. @param asOf start of a relative moment */
export function timeOf(moment: Moment, asOf: UnixMs): UnixMs {
  return moment.kind === 'at' ? moment.time : asOf + moment.milliseconds;
}

/**
 * Reads RFC 3339 or `YYYY-MM-DD`.
 *
 * @returns undefined for anything else, including days and times that do not exist
 */
export function readInstant(text: string): UnixMs | undefined {
  const { groups } = ABSOLUTE.exec(text) ?? {};
  if (!groups) return undefined;
  const { date, month, time = '00:00:00', fraction = '', sign, offset = '00:00' } = groups;
  const midnight = new Date(`${date}T00:00Z`);
  // JavaScript moves a day that does not exist into the next month, or makes it NaN.
  if (midnight.getUTCMonth() + 1 !== Number(month)) return undefined;
  const fractionMs = Math.floor(Number(`0${fraction}`) * SECOND_MS);
  const localTime = Date.parse(`${date}T${time}Z`) + fractionMs;
  const offsetMs = Date.parse(`1970-01-01T${offset}Z`);
  return sign === '-' ? localTime + offsetMs : localTime - offsetMs;
}
