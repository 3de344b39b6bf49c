import { CHANGE_WINDOWS } from '../domain/change.ts';

const HOUR_SECONDS = 3_600;

/** One sample in any two minutes: the first run of either kind that publishes in them. */
export const TICK_MS = 120_000;
/** How long samples are of use, in seconds: the longest window, and the half day in which a missing one is looked for. */
export const SAMPLE_SECONDS = CHANGE_WINDOWS.thirtyDay + 13 * HOUR_SECONDS;
/** A roster serves new samples for so long, and then those that name it. */
export const ROSTER_USE_MS = 6 * HOUR_SECONDS * 1_000;
/** A sample with a larger share of markets that its roster does not have is given a new one. */
export const ROSTER_STRANGERS_SHARE = 0.05;

export function tickOf(ms: number): number {
  return Math.floor(ms / TICK_MS);
}
