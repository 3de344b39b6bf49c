import type { Moment } from '../contract/parameters.ts';

const HOUR = 3_600_000;
const UNITS = { h: HOUR, d: 24 * HOUR } as const;

/** As `RELATIVE_MOMENT_PATTERN` of the contract, with what it is made of. */
const RELATIVE = /^[+ ]?(\d{1,5})([hd])$/;
const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const ABSOLUTE = new RegExp(
  String.raw`^${DATE}(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+ -])(\d\d):(\d\d)))?$`,
);

/**
 * Reads RFC 3339, `YYYY-MM-DD` (midnight UTC) or a relative moment. A leap second (23:59:60 UTC) is the midnight that
 * follows it.
 *
 * @returns undefined for anything else, also for days and times that do not exist
 */
export function readMoment(text: string): Moment | undefined {
  const [, count, unit] = RELATIVE.exec(text) ?? [];
  if (count !== undefined) {
    return { kind: 'after', milliseconds: Number(count) * UNITS[unit as keyof typeof UNITS] };
  }
  const time = readInstant(text);
  return time === undefined ? undefined : { kind: 'at', time };
}

/** @param asOf milliseconds; what a relative moment counts from */
export function timeOf(moment: Moment, asOf: number): number {
  return moment.kind === 'at' ? moment.time : asOf + moment.milliseconds;
}

/** @returns Unix ms; undefined for anything but `YYYY-MM-DD` and RFC 3339, and for days and times that do not exist */
export function readInstant(text: string): number | undefined {
  const found = ABSOLUTE.exec(text);
  if (!found) return undefined;
  // Positions 7 and 8 are the fraction and the sign.
  const numbers = found.slice(1).map((digits) => Number(digits ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, , , offsetHour = 0, offsetMinute = 0] =
    numbers;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const date = new Date(0);
  // Not Date.UTC: it takes the years 0 to 99 for those of the twentieth century.
  date.setUTCFullYear(year, month - 1, day);
  // A day that its month does not have lies in another month.
  if (date.getUTCMonth() !== month - 1) return undefined;
  const offset = (found[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const time = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1_000;
  if (second === 60 && time % UNITS.d !== 0) return undefined;
  return time + Math.floor(Number(`0.${found[7] ?? 0}`) * 1_000);
}
