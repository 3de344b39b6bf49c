import { readData } from './topics.ts';

/** Values at given shares of all markets; between them, in proportion of their logarithms. */
type Quantiles = readonly (readonly [share: number, value: number])[];

const RECORDED = readData('amounts.json') as Readonly<Record<'volume' | 'liquidity' | 'spread', Quantiles>>;

/** Volume and liquidity in USD; the spread is the difference of ask and bid, 0 to 1. */
export type Amounts = Readonly<Record<'volume' | 'liquidity' | 'spread', number>>;

/** What decides a market's place among all markets: popularity, and how much its other amounts differ from it. */
export type Standing = Readonly<Record<'popularity' | 'liquidityLuck' | 'spreadLuck', number>>;

/**
 * Amounts of all markets, each distributed as in the recordings: the place of a market decides its share, and the share
 * decides the amount. Popular markets have more liquidity, and liquid markets have narrow spreads.
 */
export function amountsOf(standings: readonly Standing[]): Amounts[] {
  const volumes = places(standings.map(({ popularity }) => popularity));
  const liquidities = places(standings.map(({ liquidityLuck }, n) => (volumes[n] ?? 0) + 0.5 * liquidityLuck));
  const spreads = places(standings.map(({ spreadLuck }, n) => 0.7 * spreadLuck - (liquidities[n] ?? 0)));
  return standings.map((_, n) => ({
    volume: valueAt(RECORDED.volume, volumes[n] ?? 0),
    liquidity: valueAt(RECORDED.liquidity, liquidities[n] ?? 0),
    spread: valueAt(RECORDED.spread, spreads[n] ?? 0),
  }));
}

/** The amounts of a live market, which compares with markets in the middle: `luck` from 0 to 1. */
export function liveAmounts(luck: number): Amounts {
  return {
    volume: valueAt(RECORDED.volume, 0.3 + 0.35 * luck),
    liquidity: valueAt(RECORDED.liquidity, 0.4 + 0.5 * luck),
    spread: valueAt(RECORDED.spread, 0.7 - 0.2 * luck),
  };
}

/** For each score the share of scores below it. */
function places(scores: readonly number[]): number[] {
  const order = scores.map((score, n) => ({ score, n })).sort((a, b) => a.score - b.score || a.n - b.n);
  const result = new Array<number>(scores.length).fill(0);
  for (const [place, { n }] of order.entries()) result[n] = (place + 0.5) / scores.length;
  return result;
}

function valueAt(quantiles: Quantiles, share: number): number {
  const above = quantiles.findIndex(([place]) => place >= share);
  const [low, from] = quantiles[above - 1] ?? [0, 1];
  const [high, to] = quantiles[above] ?? [1, 1];
  return from * (to / from) ** ((share - low) / (high - low || 1));
}
