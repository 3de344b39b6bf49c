import { FRESH_SECONDS, PUBLISH_GRACE_SECONDS } from '../contract/constants.ts';

/** Seconds that a writer's clock may be ahead. A snapshot from further in the future is not served, and is replaced. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/** Age in seconds up to which the market endpoints serve data: it is fresh, or the next run may still publish. */
export const MAX_AGE_SECONDS = FRESH_SECONDS + PUBLISH_GRACE_SECONDS;

/**
 * Age in seconds. Data from slightly in the future (the writer's clock is ahead) has age 0. Data from further in the
 * future has no known age: infinite.
 *
 * @param asOf Unix ms @param now Unix ms
 */
export function ageSeconds(asOf: number, now: number): number {
  const age = (now - asOf) / 1_000;
  return age < -CLOCK_TOLERANCE_SECONDS ? Number.POSITIVE_INFINITY : Math.max(0, age);
}

/** Whether the market endpoints serve data of this age. */
export function isServable(age: number): boolean {
  return age <= MAX_AGE_SECONDS;
}

/** Whole seconds that a cache may keep a response, so that it is never served when older than two minutes. */
export function cacheableSeconds(age: number): number {
  return Math.max(0, Math.floor(FRESH_SECONDS - age));
}
