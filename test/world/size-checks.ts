// A snapshot shows best prices with their sizes: the shares that are offered at them. Compares the
// sizes with those of the simulated Polymarket.

import type { Market } from '../../lambda/core/domain/market.ts';
import { sizeOf } from './books.ts';
import type { Published } from './container.ts';
import { iso, READING_MS, type Report } from './price-checks.ts';
import { STEP_MS, type TrueMarket } from './true-market.ts';
import { MAX_SKEW_MS, type World } from './world.ts';

/** The service shows no older size. */
const MAX_SIZE_AGE_MS = 150_000;

/**
 * Checks each size of a snapshot: at one moment of the last 150 s, the price was the best one and
 * had these shares.
 *
 * @returns how many sizes and how many prices the snapshot has
 */
export function checkSizes({ polymarket }: World, { snapshot }: Published, report: Report) {
  const count = { sizes: 0, prices: 0 };
  const { asOf } = snapshot;
  for (const market of snapshot.markets) {
    const truth = polymarket.byToken.get(market.clobTokenId);
    if (!truth) continue;
    for (const side of ['bid', 'ask'] as const) {
      const { price, size } = shownBest(market, side);
      if (price !== undefined) count.prices += 1;
      if (size === undefined) continue;
      count.sizes += 1;
      if (price === undefined || !wasTrue(truth, side, price, size, asOf))
        report(truth.yes, `the shares at the best ${side} of ${iso(asOf)}`, `${size} at ${price}`);
    }
  }
  return count;
}

/** The best price of a side and its shares, as the snapshot has them. */
function shownBest(market: Market, side: 'bid' | 'ask') {
  const { bestBid, bidSize, bestAsk, askSize } = market;
  return side === 'bid' ? { price: bestBid, size: bidSize } : { price: bestAsk, size: askSize };
}

/**
 * Whether a side had this best price with these shares at one moment. The service's clock may be
 * wrong by MAX_SKEW_MS.
 */
function wasTrue(
  truth: TrueMarket,
  side: 'bid' | 'ask',
  price: number,
  size: number,
  asOf: number,
): boolean {
  const from = asOf - MAX_SIZE_AGE_MS - MAX_SKEW_MS;
  // Price and size hold for STEP_MS. Five looks in this time miss none.
  for (let at = from; at < asOf + READING_MS + MAX_SKEW_MS; at += STEP_MS / 5) {
    if (truth.quote(at)[side] === price && sizeOf(truth, side, at) === size) return true;
  }
  return false;
}
