/** Times in Unix milliseconds and seconds, and the age of data. */
import { FRESH_SECONDS, MAX_AGE_SECONDS } from '../contract/constants.ts';

declare const UNIT: unique symbol;

/**
 * A number with a unit. `const until: UnixSeconds = now` is a type error if `now` is `UnixMs`. A
 * plain number has both types, so that literals and sums need no conversion.
 */
type TimeIn<Unit> = number & { readonly [UNIT]?: Unit };

/** Milliseconds since 1970, inside the service. */
export type UnixMs = TimeIn<'milliseconds'>;
/** Seconds since 1970, in price histories and TTLs. */
export type UnixSeconds = TimeIn<'seconds'>;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;
export const HOUR_SECONDS = HOUR_MS / SECOND_MS;
export const DAY_SECONDS = DAY_MS / SECOND_MS;

/** Rounds down to a whole second. */
export function toUnixSeconds(time: UnixMs): UnixSeconds {
  return Math.floor(time / SECOND_MS);
}

export function toUnixMs(time: UnixSeconds): UnixMs {
  return time * SECOND_MS;
}

/**
 * The TTL of an item that must be readable for this long. Rounds up, because DynamoDB counts whole
 * seconds.
 */
export function expirySeconds(now: UnixMs, ttlMs: number): UnixSeconds {
  return Math.ceil((now + ttlMs) / SECOND_MS);
}

/** How far a writer's clock may be ahead. Readers reject later snapshots. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * The age of data from the time `asOf`. A time up to 30 s in the future has the age 0; a later one
 * is infinitely old, because it is wrong.
 */
export function ageSeconds(asOf: UnixMs, now: UnixMs): number {
  const age = (now - asOf) / SECOND_MS;
  return age < -CLOCK_TOLERANCE_SECONDS ? Number.POSITIVE_INFINITY : Math.max(0, age);
}

/** Whether the market endpoints serve data of this age, up to 150 s. @param age in seconds */
export function isServable(age: number): boolean {
  return age <= MAX_AGE_SECONDS;
}

/**
 * How long a cache may keep a response. Rounds down, so that no cache serves data older than two
 * minutes.
 *
 * @param age in seconds
 */
export function cacheableSeconds(age: number): number {
  return Math.max(0, Math.floor(FRESH_SECONDS - age));
}
