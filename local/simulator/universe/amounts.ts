import type { Draw } from '../random.ts';
import { readData } from './topics.ts';

/** Values of some shares of the markets. `valueAt` interpolates their logarithms. */
type Quantiles = readonly (readonly [share: number, value: number])[];

const RECORDED = readData('amounts.json') as Readonly<
  Record<'volume' | 'liquidity' | 'spread', Quantiles>
>;

/** The amounts of a market: volume and liquidity in USD; the spread is 0 to 1. */
export type Amounts = Readonly<Record<'volume' | 'liquidity' | 'spread', number>>;

/**
 * Draws the amounts of a market. They have the distribution of 798 real markets. Popular markets
 * have more liquidity, and liquid markets have narrow spreads.
 *
 * @param popularity the share of markets with less volume
 */
export function amountsOf(popularity: number, draw: Draw): Amounts {
  const liquidity = 0.7 * popularity + 0.3 * draw.next();
  const narrowness = Math.min(1, Math.max(0, liquidity + draw.between(-0.3, 0.3)));
  return {
    volume: valueAt(RECORDED.volume, popularity),
    liquidity: valueAt(RECORDED.liquidity, liquidity),
    spread: valueAt(RECORDED.spread, 1 - narrowness),
  };
}

/** The value below which this share of the real markets lies. */
function valueAt(quantiles: Quantiles, share: number): number {
  const above = quantiles.findIndex(([place]) => place >= share);
  const [low, from] = quantiles[above - 1] ?? [0, 1];
  const [high, to] = quantiles[above] ?? [1, 1];
  return from * (to / from) ** ((share - low) / (high - low || 1));
}
