/**
 * Thins a price history before the refresher stores it: the older its points, the fewer remain. For
 * example, of a point each minute a day ago, one per 15 minutes remains.
 */
import { type PastPrice, unknownAfterGaps } from '../../core/domain/price-history.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '../../core/domain/time.ts';
import { roundPrice } from '../../io/snapshots/stored-histories.ts';

/** Points up to this age can start a 1-hour change, so all of them stay. */
const EXACT_AGE_MS = 90 * MINUTE_MS;
/** Up to each age of a point, one point per step of time stays. */
const STEPS = [
  { maxAgeMs: EXACT_AGE_MS, stepMs: MINUTE_MS },
  { maxAgeMs: 1.5 * DAY_MS, stepMs: 15 * MINUTE_MS },
  { maxAgeMs: 7.5 * DAY_MS, stepMs: 2 * HOUR_MS },
] as const;
/** The step of all older points. */
const LONGEST_STEP_MS = 6 * HOUR_MS;

/**
 * The points to store: the last one of each step, and for each gap of more than six hours a point
 * whose price is null, because the price in it is unknown. Prices are rounded as in the store.
 *
 * @param history oldest first
 * @param until end of the history, from which ages count
 */
export function thinHistory(history: readonly PastPrice[], until: UnixSeconds): PastPrice[] {
  const end = toUnixMs(until);
  const points = [...lastOfSteps(history, end), ...unknownAfterGaps(history, until)].sort(
    (a, b) => a.t - b.t,
  );
  const thinned: PastPrice[] = [];
  let priceBefore: number | null | undefined;
  for (const { t, p } of points) {
    const price = roundPrice(p);
    const isRecent = end - toUnixMs(t) <= EXACT_AGE_MS;
    // An older point that repeats the price before it adds nothing.
    if (isRecent || price !== priceBefore) thinned.push({ t, p: price });
    priceBefore = price;
  }
  return thinned;
}

/** The last point of each step. @param end of the history, from which ages count */
function lastOfSteps(history: readonly PastPrice[], end: UnixMs): Iterable<PastPrice> {
  const lastByStep = new Map<string, PastPrice>();
  for (const point of history) {
    const time = toUnixMs(point.t);
    const step = STEPS.find(({ maxAgeMs }) => end - time <= maxAgeMs);
    const stepMs = step?.stepMs ?? LONGEST_STEP_MS;
    // Later points overwrite earlier ones of the same step.
    lastByStep.set(`${stepMs} ${Math.floor(time / stepMs)}`, point);
  }
  return lastByStep.values();
}
