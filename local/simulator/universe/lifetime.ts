/** How the prices of simulated events move over time, and how the events end. */
import type { Resolution } from '../market.ts';
import { endingAt, type FairPrice, logistic, sharedPrices, wave } from '../prices.ts';
import { Draw, mix } from '../random.ts';
import { MINUTE_MS } from './dates.ts';
import type { EventDraft, EventEnd } from './topics.ts';

/** In the last part of an event's life, prices run to their payouts: at most this share of it. */
const LAST_SHARE_OF_LIFE = 0.2;
/** The last part is at most three hours. */
const MAX_LAST_MS = 180 * MINUTE_MS;
/** The longest time between the last trade and the closing. Short events have a shorter one. */
const MAX_PAUSE_MS = 10 * MINUTE_MS;

/** Draws the payouts of an event, and bends its prices towards them before the end. */
export function endOfEvent(draft: EventDraft, key: number, createdAt: number): EventEnd {
  const { endsAt } = draft;
  const draw = new Draw(key, 'end');
  const lastMs = Math.min(MAX_LAST_MS, LAST_SHARE_OF_LIFE * (endsAt - createdAt));
  const runsFrom = endsAt - lastMs;
  const prices = pricesOf(draft, key);
  const pricesBeforeRun = prices.map((price) => price(runsFrom));
  const payouts = payoutsOf(draft, pricesBeforeRun, draw);
  const pauseMs = Math.min(MAX_PAUSE_MS, lastMs / 2);
  const closesAt = endsAt + pauseMs;
  return {
    prices: prices.map((price, place) => endingAt(price, payouts[place] ?? 0, endsAt, lastMs)),
    payouts,
    runsFrom,
    closesAt,
    resolvedAt: closesAt + pauseMs * 3,
  };
}

/**
 * The resolution of a market at a time: none while it is open, then proposed, then resolved.
 *
 * @param place the number of the market in the event, from 0
 */
export function resolutionOf(
  { payouts, closesAt, resolvedAt }: EventEnd,
  place: number,
  atMs: number,
): Resolution | undefined {
  if (atMs < closesAt) return undefined;
  const payout = payouts[place] ?? 0;
  return {
    status: atMs >= resolvedAt ? 'resolved' : 'proposed',
    payouts: [payout, 1 - payout],
    resolvedAt,
  };
}

/** The share of the `separate` markets that pay half to each outcome. */
const SPLIT_SHARE = 0.02;

/** Draws payouts (0 to 1) that are as likely as the prices say. */
function payoutsOf({ kind }: EventDraft, prices: readonly number[], draw: Draw): number[] {
  if (kind === 'separate') {
    return prices.map((price) => (draw.chance(SPLIT_SHARE) ? 0.5 : Number(draw.chance(price))));
  }
  const luck = draw.next();
  // In a ladder, "above $110" implies "above $100", which has a higher price.
  if (kind === 'ladder') return prices.map((price) => Number(luck < price));
  // Exclusive prices divide the range from 0 to 1. The part that has the number wins.
  let left = luck;
  const winner = prices.findIndex((price) => {
    left -= price;
    return left < 0;
  });
  // The prices can add up to a little less than 1, so that no part has the number.
  const winnerOrFirst = Math.max(0, winner);
  return prices.map((_, place) => Number(place === winnerOrFirst));
}

/** How far a price can move from its base, in log-odds. Most markets are calm. */
const RANGES = [0.4, 0.4, 1.2, 1.2, 2.2, 4] as const;

/**
 * The prices of an event's markets before its end bends them. Prices move in log-odds, so that they
 * stay between 0 and 1: a base, and around it a wave.
 */
function pricesOf({ kind, markets }: EventDraft, key: number): FairPrice[] {
  const draw = new Draw(key, 'prices');
  if (kind === 'exclusive') return sharedPrices(key, rankedShares(markets, draw));
  const range = draw.pick(RANGES);
  return kind === 'ladder'
    ? ladderPrices(markets, key, range, draw)
    : separatePrices(markets, key, range, draw);
}

/**
 * The prices of a ladder, such as "above $100", "above $110". The topic's chance is about that of
 * the first step; each later one is less likely. All steps share one wave, so they keep their
 * order.
 */
function ladderPrices(
  markets: EventDraft['markets'],
  key: number,
  range: number,
  draw: Draw,
): FairPrice[] {
  const top = logOdds(markets[0]?.chance ?? 0.5) + draw.between(-0.6, 0.6);
  const step = draw.between(0.5, 1.2);
  return markets.map(
    (_, place) => (atMs: number) => logistic(top - place * step + range * wave(key, atMs)),
  );
}

/** The prices of markets that do not depend on each other: each has its own wave. */
function separatePrices(
  markets: EventDraft['markets'],
  key: number,
  range: number,
  draw: Draw,
): FairPrice[] {
  return markets.map(({ chance = draw.between(0.15, 0.85) }, place) => {
    const base = logOdds(chance);
    return (atMs: number) => logistic(base + range * wave(mix(key, place), atMs));
  });
}

/** The log-odds of a chance (0 to 1): the inverse of `logistic`. */
function logOdds(chance: number): number {
  return Math.log(chance / (1 - chance));
}

/**
 * Draws the shares of exclusive outcomes; they add up to 1. Weights decide, if the topic has them.
 * Otherwise any of two or three outcomes can lead, and a longer list begins with the favourites.
 */
export function rankedShares(markets: EventDraft['markets'], draw: Draw): number[] {
  // How fast weights fall from one outcome to the next.
  const decay = draw.pick([0.2, 0.3, 0.45]);
  const byPlace = (place: number): number => {
    if (markets.length <= 3) return draw.between(0.2, 1);
    const falling = Math.exp(-decay * place + draw.between(-0.5, 0.5));
    // Even the last outcome has a small weight.
    return falling + 0.004;
  };
  return shared(markets.map(({ weight }, place) => weight ?? byPlace(place)));
}

/** Divides 1 by these weights. */
function shared(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
