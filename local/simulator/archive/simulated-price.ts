import type { Market } from '../../../lambda/core/domain/market.ts';
import { MINUTE_MS, type UnixMs } from '../../../lambda/core/domain/time.ts';

/** A market with the price of its last own reading. */
export interface PreviousMarket {
  readonly market: Market;
  readonly time: UnixMs;
}

interface PriceNow {
  readonly time: UnixMs;
  /** 0 to 1. */
  readonly price: number;
  /** True if CLOB was not read. */
  readonly isFallback: boolean;
  readonly previous: PreviousMarket | undefined;
}

type Unpriced = Omit<Market, 'priceSource' | 'currentProbability'>;

const CATALOGUE_AGE_MS = 2 * MINUTE_MS;
/** In thousandths, as ticks are. A book is tight up to a spread of 100. */
const HALF_OF_TIGHT = 50;
const HALF_OF_WIDE = 80;
/** Books are wider in these hours, UTC. */
const QUIET_HOURS = [3, 8] as const;
/** In these minutes of each day (UTC), the call for one market in five fails. */
const FAILED_MINUTES = [600, 604] as const;
/** Each applies to one in 20 markets: a wide book, one without trades, and a doubtful change. */
const [WIDE, UNTRADED, DOUBTFUL] = [3, 7, 11];

/** Whether the calls of some markets fail at this time. */
export function isFailedCall(time: UnixMs): boolean {
  const minute = Math.floor(time / MINUTE_MS) % 1_440;
  return minute >= FAILED_MINUTES[0] && minute < FAILED_MINUTES[1];
}

/** Prices as the refresher would read them (docs/specification.md). */
export function pricedMarket(
  market: Unpriced,
  { time, price, isFallback, previous }: PriceNow,
): Market {
  const kind = Number.parseInt(market.id.slice(10, 14), 16) % 20;
  if (isFailedCall(time) && kind % 5 === 0 && previous) return carried(market, previous);
  const half = kind === WIDE || kind === UNTRADED ? HALF_OF_WIDE : halfOfTight(market, time);
  const middle = Math.min(999, Math.max(1, Math.round(1_000 * price)));
  const hasSides = middle > half && middle < 1_000 - half;
  const sides = hasSides
    ? { bestBid: (middle - half) / 1_000, bestAsk: (middle + half) / 1_000 }
    : {};
  const doubts: Pick<Market, 'doubtfulChanges'> =
    kind === DOUBTFUL ? { doubtfulChanges: ['sevenDayPriceChange'] } : {};
  const quoted = { ...market, ...sides, ...doubts, currentProbability: middle / 10 };
  const pricedAt = new Date(time - CATALOGUE_AGE_MS).toISOString();
  if (isFallback) return { ...quoted, priceSource: 'catalogue', pricedAt };
  if (hasSides && half <= HALF_OF_TIGHT)
    return { ...quoted, priceSource: 'book', midpoint: middle / 1_000 };
  if (hasSides && kind === UNTRADED) return { ...quoted, priceSource: 'untraded', pricedAt };
  return { ...quoted, priceSource: 'trade' };
}

function halfOfTight({ outcomes }: Unpriced, time: UnixMs): number {
  const hour = new Date(time).getUTCHours();
  const isQuiet = hour >= QUIET_HOURS[0] && hour < QUIET_HOURS[1];
  return 1 + ((outcomes[0]?.label.length ?? 0) % 4) + (isQuiet ? 3 : 0);
}

function carried(market: Unpriced, { market: before, time }: PreviousMarket): Market {
  const { volume } = market;
  return {
    ...before,
    volume,
    priceSource: 'carried',
    pricedAt: before.pricedAt ?? new Date(time).toISOString(),
  };
}
