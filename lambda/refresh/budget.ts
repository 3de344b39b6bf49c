import { FRESH_SECONDS, PUBLISH_GRACE_SECONDS } from '../contract/constants.ts';

/**
 * How a run divides its time. Each step has a moment, counted back from the end of the run, at which it is given
 * up so that the next can still be done: what the 7- and 30-day changes need goes first, then what the 1-day ones need,
 * then the prices, for which the catalogue's stand in. Publishing has the rest.
 */
const GIVE_UP_MS_BEFORE_END = {
  month: 9_000,
  day: 6_000,
  catalogue: 5_000,
  prices: 2_500,
} as const;

/** Absolute deadlines in ms. */
export type RunDeadlines = Readonly<Record<keyof typeof GIVE_UP_MS_BEFORE_END, number>>;

/** @param end when the run must be over, absolute ms */
export function runDeadlines(end: number): RunDeadlines {
  const entries = Object.entries(GIVE_UP_MS_BEFORE_END).map(([step, before]) => [step, end - before]);
  return Object.fromEntries(entries) as RunDeadlines;
}

/** Prices are waited for at least so long: even where readers wait for a snapshot, an outage as short as this costs nothing. */
const LEAST_PRICES_MS = (PUBLISH_GRACE_SECONDS * 1_000) / 2;
/** Where there is no snapshot at all readers get 502 meanwhile: catalogue prices now are better than order-book prices in minutes. */
const FIRST_PRICES_MS = PUBLISH_GRACE_SECONDS * 1_000;

/**
 * When a full run gives up the prices. The catalogue's are no substitute as long as readers have a snapshot that is fresh;
 * once it is not, any new one is better, and where there is none it is wanted even sooner.
 *
 * @param end when the run must be over, absolute ms, as all times here
 * @param newestAsOf time of the newest snapshot
 */
export function pricesDeadline(end: number, now: number, newestAsOf: number | undefined): number {
  const { prices } = runDeadlines(end);
  if (newestAsOf === undefined) return Math.min(prices, now + FIRST_PRICES_MS);
  return Math.min(prices, Math.max(now + LEAST_PRICES_MS, newestAsOf + FRESH_SECONDS * 1_000));
}
