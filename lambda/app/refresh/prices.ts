import { ageSeconds, isServable } from '../../core/domain/freshness.ts';
import {
  byVolume,
  type CatalogueMarket,
  type Market,
  type PricedMarket,
  pricedOutcomes,
  RUN_FIELDS,
} from '../../core/domain/market.ts';
import { type BookSides, hasSide, type LastTrade, midpointOf, priceOf } from '../../core/domain/price.ts';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { inGroups, roundTo3 } from '../../core/domain/values.ts';
import { type Clock, sleep } from '../../io/platform/clock.ts';
import {
  type ClobPrices,
  LAST_TRADES_BATCH_TOKENS,
  MIN_TOKENS_TO_DOUBT,
  SIDES_BATCH_TOKENS,
} from '../../io/polymarket/clob-prices.ts';
import { TIMELINE } from './timeline.ts';

export interface PriceDependencies {
  readonly prices: Pick<ClobPrices, 'sides' | 'lastTrades'>;
  readonly clock: Clock;
}

/** The prices of one reading by token. The tokens of failed calls are missing. */
export interface PriceReading {
  /** When the reading began: no price in it is older. */
  readonly asOf: UnixMs;
  readonly sides: ReadonlyMap<string, BookSides>;
  /** Of the markets whose book is not tight. */
  readonly lastTrades: ReadonlyMap<string, LastTrade>;
  /** Calls for sides. */
  readonly calls: number;
  readonly failed: number;
}

/** The markets of the newest snapshot by the token of YES. */
type PreviousMarkets = ReadonlyMap<string, Market>;

/** A call fails if a smaller share of the markets with a book still has one. */
const MIN_SHARE = 0.5;

/**
 * Reads both sides of all books, then the last trades of the markets whose book is not tight. If a call fails, it reads
 * all sides again, so that all prices have one time. It tries for 10 s, or until the deadline if no call succeeds.
 *
 * @returns the latest of the readings with the fewest failed calls
 */
export async function readPrices(
  deps: PriceDependencies,
  tokens: readonly string[],
  previous: PreviousMarkets,
  deadline: UnixMs,
): Promise<PriceReading> {
  const { clock } = deps;
  const firstDeadline = Math.min(deadline, clock.now() + TIMELINE.readingMs);
  let best = await readSides(deps, tokens, previous, deadline);
  for (
    let pauseMs: number = TIMELINE.minPauseMs;
    best.failed > 0;
    pauseMs = Math.min(2 * pauseMs, TIMELINE.maxPauseMs)
  ) {
    const retryDeadline = allFailed(best) ? deadline : firstDeadline;
    const leftMs = retryDeadline - clock.now();
    if (leftMs <= 0) break;
    await sleep(clock, Math.min(pauseMs, leftMs));
    const next = await readSides(deps, tokens, previous, retryDeadline);
    if (next.failed <= best.failed) best = next;
  }
  const untight = [...best.sides].filter(([, sides]) => midpointOf(sides) === undefined);
  const lastTrades = await readLastTrades(
    deps,
    untight.map(([token]) => token),
  );
  return { ...best, lastTrades };
}

export function allFailed({ calls, failed }: Pick<PriceReading, 'calls' | 'failed'>): boolean {
  return failed === calls;
}

async function readSides(
  { prices, clock }: PriceDependencies,
  tokens: readonly string[],
  previous: PreviousMarkets,
  deadline: UnixMs,
): Promise<Omit<PriceReading, 'lastTrades'>> {
  const asOf = clock.now();
  const readingDeadline = Math.min(deadline, asOf + TIMELINE.readingMs);
  const batches = inGroups(tokens, SIDES_BATCH_TOKENS);
  const reads = batches.map(async (batch) => {
    const sides = await prices.sides(batch, readingDeadline).catch(() => undefined);
    return sides && isPlausible(sides, previous) ? sides : undefined;
  });
  const succeeded = (await Promise.all(reads)).filter((sides) => sides !== undefined);
  const sides = new Map(succeeded.flatMap((some) => [...some]));
  return { asOf, sides, calls: batches.length, failed: batches.length - succeeded.length };
}

/** A response with far fewer books than a minute ago counts as failed. */
function isPlausible(sides: ReadonlyMap<string, BookSides>, previous: PreviousMarkets): boolean {
  const had = [...sides].filter(([token]) => hadBook(previous.get(token)));
  const has = had.filter(([, one]) => hasSide(one));
  return had.length < MIN_TOKENS_TO_DOUBT || has.length >= MIN_SHARE * had.length;
}

function hadBook(market: Market | undefined): boolean {
  return market?.bestBid !== undefined || market?.bestAsk !== undefined;
}

async function readLastTrades(
  { prices, clock }: PriceDependencies,
  tokens: readonly string[],
): Promise<PriceReading['lastTrades']> {
  const deadline = clock.now() + TIMELINE.lastTradesMs;
  const reads = inGroups(tokens, LAST_TRADES_BATCH_TOKENS).map((batch) =>
    prices.lastTrades(batch, deadline).catch(() => new Map<string, LastTrade>()),
  );
  return new Map((await Promise.all(reads)).flatMap((some) => [...some]));
}

/** The markets whose prices a run may carry: none if the snapshot is too old to be served. */
export function pricesToKeep(
  newest: { readonly info: Pick<SnapshotInfo, 'asOf'>; readonly markets: readonly Market[] } | undefined,
  asOf: UnixMs,
): PreviousMarkets {
  const isRecent = newest !== undefined && isServable(ageSeconds(newest.info.asOf, asOf));
  return byToken(isRecent ? newest.markets : []);
}

export function byToken(markets: readonly Market[]): PreviousMarkets {
  return new Map(markets.map((market) => [market.clobTokenId, market]));
}

/** The markets that have a price, in list order. @param previous markets whose prices the run may carry */
export function priceMarkets(
  markets: readonly CatalogueMarket[],
  { sides, lastTrades }: Pick<PriceReading, 'sides' | 'lastTrades'>,
  previous: PreviousMarkets,
): PricedMarket[] {
  return markets
    .flatMap((market) => {
      const { clobTokenId: token, catalogue, volume, outcomes } = market;
      const sources = { sides: sides.get(token), lastTrade: lastTrades.get(token), previous: previous.get(token) };
      const found = priceOf({ ...sources, catalogue, volume });
      if (!found) return [];
      const { price, ...quote } = found;
      const currentProbability = roundTo3(price * 100);
      const priced = { currentProbability, ...quote, outcomes: pricedOutcomes(outcomes, token, currentProbability) };
      return [{ ...market, ...priced }];
    })
    .sort(byVolume);
}

/** A market as its catalogue record described it. */
export function withoutPrices(market: Market): CatalogueMarket {
  const details = Object.entries(market).filter(([name]) => !RUN_FIELDS.has(name));
  return Object.fromEntries(details) as unknown as CatalogueMarket;
}
