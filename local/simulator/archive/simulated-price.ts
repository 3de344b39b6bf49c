/**
 * The prices of the simulated list of markets: what the refresher would have published for a true
 * price. Some markets have a wide book, no trades, a doubtful change or failed calls, so that the
 * archive contains each price source.
 */
import type { Market } from '../../../lambda/core/domain/market.ts';
import { MINUTE_MS, type UnixMs } from '../../../lambda/core/domain/time.ts';
import { sharesText } from '../books.ts';
import { Draw, hashText, mix } from '../random.ts';

/** A market as the list last had it without a failed call, and when. */
export interface PreviousMarket {
  readonly market: Market;
  readonly time: UnixMs;
}

/** What the published price of a market follows from. */
interface PriceNow {
  readonly time: UnixMs;
  /** The true price, 0 to 1. */
  readonly price: number;
  /** Whether the whole run could not read CLOB. */
  readonly isFallback: boolean;
  readonly previous: PreviousMarket | undefined;
}

type Unpriced = Omit<Market, 'priceSource' | 'currentProbability'>;

/** A market has one of 20 kinds for its whole life. Most kinds have no effect. */
const KINDS = 20;
/** The book is wide, so the last trade is the price. */
const WIDE_KIND = 3;
/** The book is wide, and there are no trades, so the catalogue's price counts. */
const UNTRADED_KIND = 7;
/** The change of seven days is marked as doubtful. */
const DOUBTFUL_KIND = 11;
const DOUBT: Pick<Market, 'doubtfulChanges'> = { doubtfulChanges: ['sevenDayPriceChange'] };
/** Calls can fail for every fifth kind: 0, 5, 10 and 15. */
const FAILING_KINDS_STEP = 5;

/** In these minutes of each day (UTC), the calls for some markets fail. */
const FAILED_FROM_MINUTE = 600;
const FAILED_UNTIL_MINUTE = 604;

/** Whether the calls for some markets fail at this time. */
export function isFailedCall(time: UnixMs): boolean {
  const minute = Math.floor(time / MINUTE_MS) % 1_440;
  return minute >= FAILED_FROM_MINUTE && minute < FAILED_UNTIL_MINUTE;
}

/** The catalogue's prices are this old. */
const CATALOGUE_AGE_MS = 2 * MINUTE_MS;
/** Prices are in thousandths of a dollar here, as ticks are. */
const TICKS = 1_000;
/**
 * Half of a spread, in ticks: the distance of bid and ask from the middle. The service calls a book
 * tight if its spread is at most 100 ticks.
 */
const MAX_TIGHT_HALF_SPREAD = 50;
const WIDE_HALF_SPREAD = 80;

/** The market with its price, by the rules of the refresher (docs/specification.md). */
export function pricedMarket(
  market: Unpriced,
  { time, price, isFallback, previous }: PriceNow,
): Market {
  const kind = kindOf(market);
  const isFailed = isFailedCall(time) && kind % FAILING_KINDS_STEP === 0;
  if (isFailed && previous) return carried(market, previous);

  const isWide = kind === WIDE_KIND || kind === UNTRADED_KIND;
  const halfSpread = isWide ? WIDE_HALF_SPREAD : tightHalfSpread(market, time);
  const middle = Math.min(TICKS - 1, Math.max(1, Math.round(TICKS * price)));
  const bid = middle - halfSpread;
  const ask = middle + halfSpread;
  // Near a price of 0 or 1, a side would be outside of the range. Such a book has no sides here.
  const hasSides = bid > 0 && ask < TICKS;
  const quoted = {
    ...market,
    ...(hasSides && { bestBid: bid / TICKS, bestAsk: ask / TICKS }),
    ...(kind === DOUBTFUL_KIND && DOUBT),
    currentProbability: (100 * middle) / TICKS,
  };

  const pricedAt = new Date(time - CATALOGUE_AGE_MS).toISOString();
  if (isFallback) return { ...quoted, priceSource: 'catalogue', pricedAt };
  if (!hasSides) return { ...quoted, priceSource: 'trade' };
  const read = { ...quoted, ...sizesOf(market, time) };
  if (halfSpread <= MAX_TIGHT_HALF_SPREAD)
    return { ...read, priceSource: 'book', midpoint: middle / TICKS };
  if (kind === UNTRADED_KIND) return { ...read, priceSource: 'untraded', pricedAt };
  return { ...read, priceSource: 'trade' };
}

/** The shares at the best prices. They change with each full run. */
function sizesOf({ id }: Unpriced, time: UnixMs): Pick<Market, 'bidSize' | 'askSize'> {
  const run = Math.floor(time / MINUTE_MS / 2);
  const draw = new Draw(mix(hashText(id), run), 'sizes');
  return { bidSize: Number(sharesText(draw)), askSize: Number(sharesText(draw)) };
}

/** The kind of a market, 0 to 19. An id is a hash, so four of its digits are random. */
function kindOf({ id }: Unpriced): number {
  return Number.parseInt(id.slice(10, 14), 16) % KINDS;
}

const MIN_HALF_SPREAD = 1;
/** Books are wider by this much on both sides in the quiet hours, UTC. */
const QUIET_HALF_SPREAD = 3;
const QUIET_FROM_HOUR = 3;
const QUIET_UNTIL_HOUR = 8;

/** Half of the spread of a tight book: one to seven ticks. */
function tightHalfSpread({ outcomes }: Unpriced, time: UnixMs): number {
  // The length of a label differs between markets and never changes.
  const ofMarket = (outcomes[0]?.label.length ?? 0) % 4;
  const hour = new Date(time).getUTCHours();
  const isQuiet = hour >= QUIET_FROM_HOUR && hour < QUIET_UNTIL_HOUR;
  return MIN_HALF_SPREAD + ofMarket + (isQuiet ? QUIET_HALF_SPREAD : 0);
}

/**
 * The previous market with its price and time, without the sizes of a book that was not read. Only
 * the volume comes from the catalogue.
 */
function carried({ volume }: Unpriced, { market, time }: PreviousMarket): Market {
  const { bidSize: _, askSize: __, ...previous } = market;
  const pricedAt = market.pricedAt ?? new Date(time).toISOString();
  return { ...previous, volume, priceSource: 'carried', pricedAt };
}
