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
