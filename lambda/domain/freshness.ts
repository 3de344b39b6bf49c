import { CLOCK_TOLERANCE_SECONDS, PUBLISH_GRACE_SECONDS } from '../contract/constants.ts';

/** How old data may be: seconds (design 2.4). */
export interface FreshnessRule {
  /** Two minutes, or the refresh interval where that is longer. */
  readonly freshSeconds: number;
  /** 0, or the age up to which old data is better than none. */
  readonly staleIfErrorSeconds: number;
}

/**
 * Age in seconds. Data from the future (a clock that is ahead) is new, not negative; from so far ahead that the
 * clock was plainly wrong, nobody can tell: infinite.
 */
export function ageSeconds(asOf: number, now: number): number {
  const age = (now - asOf) / 1_000;
  return age < -CLOCK_TOLERANCE_SECONDS ? Number.POSITIVE_INFINITY : Math.max(0, age);
}

/** The age in seconds up to which the market endpoints serve: freshness and grace, or longer where the stage says so. */
export function longestAge(rule: FreshnessRule): number {
  return Math.max(rule.freshSeconds + PUBLISH_GRACE_SECONDS, rule.staleIfErrorSeconds);
}

/** Past its freshness and the time the next run has to publish. */
export function isStale(age: number, rule: FreshnessRule): boolean {
  return age > rule.freshSeconds + PUBLISH_GRACE_SECONDS;
}

/** Whether the market endpoints serve data of this age at all. */
export function isServable(age: number, rule: FreshnessRule): boolean {
  return age <= longestAge(rule);
}

/** Whole seconds a cache may keep a response so that nobody sees it older than its freshness. */
export function cacheableSeconds(age: number, rule: FreshnessRule): number {
  return Math.max(0, Math.floor(rule.freshSeconds - age));
}
