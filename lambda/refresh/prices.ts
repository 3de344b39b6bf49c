import { FRESH_SECONDS } from '../contract/constants.ts';
import { byVolume, type CatalogueMarket, type Market, pricedOutcomes } from '../domain/market.ts';
import { catalogueMidpoint, currentProbability, usableMidpoint } from '../domain/probability.ts';
import type { RunCounts } from '../domain/snapshot.ts';
import { inGroups, optional } from '../domain/values.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import type { ClobPrices } from '../polymarket/clob-prices.ts';
import { MIDPOINTS_BATCH_TOKENS } from '../polymarket/clob-prices.ts';
import type { RunReport } from './run-report.ts';
import type { StartPrices } from './start-prices.ts';

/** Midpoints of all markets that were read together. */
export interface MidpointReading {
  /** When the reading began, Unix ms: no midpoint in it is older. If all calls failed, when the catalogue was read. */
  readonly asOf: number;
  /** By token, 0–1. The tokens of failed calls are missing. */
  readonly midpoints: ReadonlyMap<string, number>;
  readonly calls: number;
  readonly failed: number;
}

export interface MidpointReader {
  readonly prices: Pick<ClobPrices, 'midpoints'>;
  readonly clock: Clock;
}

/** CLOB's midpoints in a snapshot and their times in Unix ms, by token. */
type KnownMidpoints = ReadonlyMap<string, { readonly midpoint: number; readonly asOf: number }>;

/** The pause after a reading with failed calls doubles between these bounds. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 8_000;
/** One reading takes no longer, and a run tries this long to get all midpoints if it has some. */
const READING_MS = 10_000;
/** A call for fewer tokens than this can be right although it returns few midpoints. */
const MIN_TOKENS_TO_JUDGE = 20;
/** The least share of the markets with a midpoint that still have one a minute later. */
const MIN_SHARE = 0.5;

/** How long a known midpoint takes the place of a missing one. */
const MIDPOINT_TTL_MS = FRESH_SECONDS * 1_000;

/**
 * Reads the midpoints of all tokens. If a call fails, all midpoints are read again, so that one time holds for all of
 * them: for some seconds if other calls succeed, until the deadline if none does.
 *
 * @param known midpoints of the newest snapshot, by token
 * @param deadline Unix ms
 * @returns the reading with the fewest failed calls, the latest of these
 */
export async function readMidpoints(
  reader: MidpointReader,
  tokens: readonly string[],
  known: KnownMidpoints,
  deadline: number,
  report: RunReport,
): Promise<MidpointReading> {
  const { clock } = reader;
  const partialDeadline = Math.min(deadline, clock.now() + READING_MS);
  let best = await readOnce(reader, tokens, known, deadline);
  let pause = MIN_PAUSE_MS;
  while (best.failed > 0 && clock.now() + pause < (best.failed < best.calls ? partialDeadline : deadline)) {
    await sleep(clock, pause);
    const next = await readOnce(reader, tokens, known, deadline);
    if (next.failed <= best.failed) best = next;
    pause = Math.min(2 * pause, MAX_PAUSE_MS);
  }
  report.midpointCalls = best.calls;
  report.midpointCallsFailed = best.failed;
  return best;
}

async function readOnce(
  { prices, clock }: MidpointReader,
  tokens: readonly string[],
  known: KnownMidpoints,
  deadline: number,
): Promise<MidpointReading> {
  const asOf = clock.now();
  const until = Math.min(deadline, asOf + READING_MS);
  const batches = inGroups(tokens, MIDPOINTS_BATCH_TOKENS);
  const reads = batches.map(async (batch) => {
    const midpoints = await prices.midpoints(batch, until).catch(() => undefined);
    return midpoints && isPlausible(batch, midpoints, known) ? midpoints : undefined;
  });
  const succeeded = (await Promise.all(reads)).filter((midpoints) => midpoints !== undefined);
  const midpoints = new Map(succeeded.flatMap((some) => [...some]));
  return { asOf, midpoints, calls: batches.length, failed: batches.length - succeeded.length };
}

/** A response without midpoints, or with far fewer than a minute ago, counts as failed whatever its status. */
function isPlausible(batch: readonly string[], midpoints: ReadonlyMap<string, number>, known: KnownMidpoints): boolean {
  const had = batch.filter((token) => known.has(token));
  if (midpoints.size === 0) return had.length === 0 && batch.length < MIN_TOKENS_TO_JUDGE;
  const has = had.filter((token) => midpoints.has(token)).length;
  return had.length < MIN_TOKENS_TO_JUDGE || has >= MIN_SHARE * had.length;
}

/** Where the prices of a run come from: CLOB now, and the newest snapshot. */
export interface PriceSources {
  readonly reading: MidpointReading;
  readonly known: KnownMidpoints;
}

type Midpoint = Pick<Market, 'midpoint' | 'midpointAsOf' | 'midpointSource'>;

/** @param markets of a snapshot @param asOf of the snapshot, Unix ms */
export function knownMidpoints(markets: readonly Market[], asOf: number): KnownMidpoints {
  const known = new Map<string, { midpoint: number; asOf: number }>();
  for (const { clobTokenId, midpoint, midpointAsOf = asOf, midpointSource } of markets) {
    if (midpoint !== undefined && !midpointSource) known.set(clobTokenId, { midpoint, asOf: midpointAsOf });
  }
  return known;
}

/**
 * The markets with their prices and changes, in list order. Markets without any price are left out.
 *
 * @param markets as the catalogue describes them, or those of a snapshot, which keep their price if there is no other
 */
export function priceMarkets(
  markets: readonly (CatalogueMarket | Market)[],
  sources: PriceSources,
  startPrices: StartPrices,
): Market[] {
  return markets.flatMap((market) => priceMarket(market, sources, startPrices) ?? []).sort(byVolume);
}

/** The counts of prices for `/api/status`. */
export function countPrices(markets: readonly Market[]): Pick<RunCounts, 'withOneDayChange' | 'cataloguePriced'> {
  return {
    withOneDayChange: markets.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null).length,
    cataloguePriced: markets.filter(({ midpoint, midpointSource }) => midpoint === undefined || midpointSource).length,
  };
}

function priceMarket(market: CatalogueMarket & Partial<Market>, sources: PriceSources, startPrices: StartPrices) {
  const {
    currentProbability: before,
    oneDayPriceChange: _oneDay,
    sevenDayPriceChange: _sevenDay,
    thirtyDayPriceChange: _thirtyDay,
    midpoint: _midpoint,
    midpointAsOf: _asOf,
    midpointSource: _source,
    ...facts
  } = market;
  const { asOf, midpoints } = sources.reading;
  const current = midpointOf(facts, sources);
  const probability = currentProbability(facts, midpoints.get(facts.clobTokenId) ?? current.midpoint) ?? before;
  if (probability === undefined) return undefined;
  return {
    ...facts,
    currentProbability: probability,
    ...startPrices.changesOf(facts.id, current.midpoint, asOf),
    ...current,
    outcomes: pricedOutcomes(facts.outcomes, facts.clobTokenId, probability),
  };
}

/**
 * The midpoint of now: CLOB's of this run; otherwise CLOB's of the newest snapshot while it is fresh; otherwise the
 * middle of the catalogue's bid and ask; otherwise none.
 */
function midpointOf(market: CatalogueMarket, { reading, known }: PriceSources): Midpoint {
  const fromClob = reading.midpoints.get(market.clobTokenId);
  if (fromClob !== undefined) return optional('midpoint', usableMidpoint(market, fromClob));
  // If all calls failed, no price of this snapshot is new.
  const before = reading.failed < reading.calls ? known.get(market.clobTokenId) : undefined;
  if (before && reading.asOf - before.asOf < MIDPOINT_TTL_MS) {
    return { midpoint: before.midpoint, midpointAsOf: before.asOf };
  }
  const middle = catalogueMidpoint(market);
  return middle === undefined ? {} : { midpoint: middle, midpointSource: 'catalogue' };
}
