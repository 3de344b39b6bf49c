import { FRESH_SECONDS, MAX_AGE_SECONDS } from '../contract/constants.ts';
import { SECOND_MS, type UnixMs } from './time.ts';

/** A writer's clock may be this much ahead. Readers do not serve a later snapshot. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/** Infinite if `asOf` is further in the future than clocks may differ. */
export function ageSeconds(asOf: UnixMs, now: UnixMs): number {
  const age = (now - asOf) / SECOND_MS;
  return age < -CLOCK_TOLERANCE_SECONDS ? Number.POSITIVE_INFINITY : Math.max(0, age);
}

export function isServable(age: number): boolean {
  return age <= MAX_AGE_SECONDS;
}

/** Whole seconds, so that no cache serves data older than two minutes. */
export function cacheableSeconds(age: number): number {
  return Math.max(0, Math.floor(FRESH_SECONDS - age));
}
