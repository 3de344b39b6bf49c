/** The volumes, liquidities and spreads of simulated markets, drawn as they were in real ones. */
import type { Draw } from '../random.ts';
import { readData } from './topics.ts';

/**
 * Below each value lies a share of the real markets: `[0.5, 33600]` means half of them. Ascending.
 */
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
  const liquidityShare = 0.7 * popularity + 0.3 * draw.next();
  const widerShare = Math.min(1, Math.max(0, liquidityShare + draw.between(-0.3, 0.3)));
  return {
    volume: valueAt(RECORDED.volume, popularity),
    liquidity: valueAt(RECORDED.liquidity, liquidityShare),
    spread: valueAt(RECORDED.spread, 1 - widerShare),
  };
}

/**
 * The value below which a share of the real markets lies. Between two recorded values it is
 * interpolated by their logarithms, because amounts range over powers of ten.
 */
function valueAt(quantiles: Quantiles, share: number): number {
  const above = quantiles.findIndex(([recordedShare]) => recordedShare >= share);
  const [lowShare, low] = quantiles[above - 1] ?? [0, 1];
  const [highShare, high] = quantiles[above] ?? [1, 1];
  const part = (share - lowShare) / (highShare - lowShare || 1);
  return low * (high / low) ** part;
}
