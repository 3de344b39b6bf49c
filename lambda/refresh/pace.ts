import { GAMMA_PAGE_MARKETS } from '../contract/constants.ts';

/** How late the scheduler and a cold start may begin a run without any effect on when its prices are read. */
const LATE_START_SECONDS = 10;
/** A page of the catalogue takes about 1.1 s (upstream.md); a tenth of what it lists cannot be kept, and pages vary. */
const SECONDS_A_PAGE = 1.5;
/** A run that has read its prices by half-time has the other half for a store that is slow. */
const LATEST_SHARE = 0.5;

export interface Pace {
  readonly maxMarkets: number;
  readonly intervalSeconds: number;
}

/**
 * How long after the scheduled time of a run its prices are read. Runs begin and crawl a little earlier or later each
 * time; since the prices wait for a fixed moment, two snapshots in a row are exactly one interval apart
 * (docs/adr/0007-freshness.md). A crawl that takes longer is not waited for by anything.
 */
export function pricesAfterSeconds({ maxMarkets, intervalSeconds }: Pace): number {
  const crawl = Math.ceil(maxMarkets / GAMMA_PAGE_MARKETS) * SECONDS_A_PAGE;
  return Math.min(LATE_START_SECONDS + crawl, intervalSeconds * LATEST_SHARE);
}

/**
 * The moment at which a run reads its prices, if it is ready by then: absolute ms.
 *
 * @param event of the invocation; one without a `scheduledTime` (a deployment, a person) is not waited for
 * @param started a clock that is behind the scheduler's must not make the run wait for longer than one on time
 */
export function pricesAt(event: unknown, started: number, pace: Pace): number {
  const after = pricesAfterSeconds(pace) * 1_000;
  const scheduled = scheduledTime(event);
  return scheduled === undefined ? started : Math.min(scheduled, started) + after;
}

/** How much older than an interval a run may let the previous snapshot grow by waiting. */
const STEP_SECONDS = 3;

/**
 * Until when a run may wait for its moment: not until the previous snapshot is much older than an interval. After a
 * run that did not wait (the first one after a deployment) the moment is so approached in steps of three seconds.
 *
 * @param newest when the newest snapshot read its prices, absolute ms
 */
export function latestPricesAt(newest: number | undefined, intervalSeconds: number | undefined): number {
  if (newest === undefined || intervalSeconds === undefined) return Number.POSITIVE_INFINITY;
  return newest + (intervalSeconds + STEP_SECONDS) * 1_000;
}

/** Ms; undefined where the event has none that can be read. */
function scheduledTime(event: unknown): number | undefined {
  if (typeof event !== 'object' || event === null || !('scheduledTime' in event)) return undefined;
  const time = typeof event.scheduledTime === 'string' ? Date.parse(event.scheduledTime) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
