import type { MarketRecord } from '../domain/market.ts';

/** A number of every market by position; NaN where a market has none. */
export type Column = Float64Array;

const READERS = {
  volume: (market) => market.volume,
  liquidity: (market) => market.liquidity,
  volume24h: (market) => market.volume24h,
  probability: (market) => market.currentProbability,
  spread: (market) => market.spread,
  endDate: (market) => instant(market.endDate),
  newest: (market) => instant(market.createdAt),
  change1d: (market) => market.oneDayPriceChange,
  change7d: (market) => market.sevenDayPriceChange,
  change30d: (market) => market.thirtyDayPriceChange,
  move1d: (market) => size(market.oneDayPriceChange),
  move7d: (market) => size(market.sevenDayPriceChange),
  move30d: (market) => size(market.thirtyDayPriceChange),
} as const satisfies Record<string, (market: MarketRecord) => number | null | undefined>;

/** What markets are sorted and filtered by; times in milliseconds, the rest in the units of the fields. */
export type ColumnName = keyof typeof READERS;

export const COLUMN_NAMES = Object.keys(READERS) as ColumnName[];

export function readColumn(markets: Iterable<MarketRecord>, name: ColumnName): Column {
  const read: (market: MarketRecord) => number | null | undefined = READERS[name];
  return Float64Array.from(markets, (market) => read(market) ?? Number.NaN);
}

function instant(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** How far something moved, whichever way. */
function size(change: number | null | undefined): number | undefined {
  return change === null || change === undefined ? undefined : Math.abs(change);
}
