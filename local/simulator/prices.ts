/**
 * The mathematics of simulated prices: how they move over time and run to their payouts, the bids
 * and asks around them, and the normal distribution that the chances of random walks need.
 */
import { type Draw, mix, noise, unit } from './random.ts';
import { HOUR_MS } from './universe/dates.ts';

/** The best prices of the first outcome, in ticks; null is an empty side. */
export interface Quote {
  readonly bid: number | null;
  readonly ask: number | null;
}

/** The fair price of the first outcome at any time, 0 to 1. */
export type FairPrice = (atMs: number) => number;

/** The share of the way to its payout that a price has covered when trading ends. */
const LAST_SHARE = 0.995;
/**
 * The waves of most prices, from drifts over months to flickers within the hour. The weights add up
 * to about 1.
 */
const WAVES: readonly (readonly [periodHours: number, weight: number])[] = [
  [24 * 45, 0.4],
  [24 * 12, 0.28],
  [24 * 3, 0.16],
  [18, 0.1],
  [3, 0.04],
  [0.4, 0.02],
  [0.07, 0.008],
];

/** The waves of prices that also move much within the hour. */
const FAST_WAVES: typeof WAVES = [
  [24 * 12, 0.4],
  [24, 0.2],
  [3, 0.22],
  [0.8, 0.18],
];
/** The share of the prices with fast waves. */
const FAST_SHARE = 0.08;

/** A number from -1 to 1 that moves smoothly with time: the sum of the waves of a key. */
export function wave(key: number, atMs: number): number {
  const waves = unit(mix(key, 0xfa57)) < FAST_SHARE ? FAST_WAVES : WAVES;
  const hours = atMs / HOUR_MS;
  let sum = 0;
  // `key + n` gives each wave its own noise.
  for (const [n, [period, weight]] of waves.entries())
    sum += weight * noise(key + n, hours / period);
  return sum;
}

/** The chance (0 to 1) of these log-odds. */
export function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/**
 * Prices of exclusive outcomes, which always add up to 1. Each outcome starts with its share, and
 * gives a changing part of it to the next one. So a price depends on the moves of two outcomes.
 *
 * @param shares add up to 1
 */
export function sharedPrices(key: number, shares: readonly number[]): FairPrice[] {
  /** What an outcome gives to the next one, at each time. */
  const transfers = shares.map((share, place) => {
    const nextShare = shares[(place + 1) % shares.length] ?? 0;
    // Two moves of 0.45 of the smaller share leave a price at least a tenth of its own.
    const maxTransfer = 0.45 * Math.min(share, nextShare);
    return (atMs: number): number => maxTransfer * wave(mix(key, place), atMs);
  });
  return shares.map((share, place) => {
    const taken = transfers.at(place - 1);
    const given = transfers[place];
    return (atMs) => share + (taken?.(atMs) ?? 0) - (given?.(atMs) ?? 0);
  });
}

/** A bid and an ask around a fair price. A side outside of the price range is empty. */
export function quoteAround(fair: number, units: number, spreadTicks: number): Quote {
  const bid = Math.min(units - 1, Math.round(fair * units - spreadTicks / 2));
  const ask = bid + spreadTicks;
  return { bid: bid >= 1 ? bid : null, ask: ask <= units - 1 ? Math.max(1, ask) : null };
}

/** The quote of the other outcome: a bid of 0.30 for YES is an ask of 0.70 for NO. */
export function mirrored({ bid, ask }: Quote, units: number): Quote {
  return { bid: ask === null ? null : units - ask, ask: bid === null ? null : units - bid };
}

/** The midpoint, 0 to 1. An empty side counts as 0 or 1, as in upstream's midpoint. */
export function middle({ bid, ask }: Quote, units: number): number {
  return ((bid ?? 0) + (ask ?? units)) / (2 * units);
}

/**
 * A price that moves to the payout before the end and stays near it.
 *
 * @param payout 0 to 1
 * @param stretchMs how long before the end the price begins to move
 */
export function endingAt(
  price: FairPrice,
  payout: number,
  endsAt: number,
  stretchMs: number,
): FairPrice {
  return (atMs) => {
    const done = Math.min(1, Math.max(0, 1 - (endsAt - atMs) / stretchMs));
    // 3x² − 2x³ begins and ends slowly.
    const share = LAST_SHARE * done * done * (3 - 2 * done);
    return (1 - share) * price(Math.min(atMs, endsAt)) + share * payout;
  };
}

/** Draws a standard normal number (the method of Box and Muller). */
export function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw.next())) * Math.cos(2 * Math.PI * draw.next());
}

/**
 * The chance that a standard normal number is below `x` (Abramowitz and Stegun 26.2.17; the error
 * is below 1e-7).
 */
export function cumulative(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const polynomial =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const upper = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return x > 0 ? 1 - upper : upper;
}

/** The inverse of `cumulative`, by bisection. Beyond 8 the chance is below 1e-15. */
export function quantile(probability: number): number {
  let [low, high] = [-8, 8];
  for (let n = 0; n < 40; n++) {
    const middleOfBoth = (low + high) / 2;
    if (cumulative(middleOfBoth) < probability) low = middleOfBoth;
    else high = middleOfBoth;
  }
  return low;
}
