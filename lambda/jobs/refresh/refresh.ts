/**
 * A refresh reads the markets of Polymarket, and publishes a snapshot: all listed markets with their
 * prices at one time.
 */
import type { BestLevels } from '../../core/domain/quote.ts';
import { ageSeconds, HOUR_MS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { TimeoutError, withTimeout } from '../../io/platform/clock.ts';
import { type CatalogueReading, readCatalogue } from './catalogue.ts';
import { allFailed, PriceReader } from './price-reader.ts';
import { previousPrices, priceMarkets, withoutPrices } from './prices.ts';
import { publishCatalogue } from './publish-catalogue.ts';
import { publish } from './publish-snapshot.ts';
import {
  type Newest,
  type RefreshDependencies,
  type Run,
  readNewest,
  requireRecentPrices,
} from './run.ts';
import { addSkipped, type Publication, type RunResult } from './run-result.ts';
import { beginSizes } from './size-reader.ts';
import { TIMEOUTS } from './timeouts.ts';

/**
 * `full`: reads the catalogue (which markets exist) and their prices. `prices`: reads only the
 * prices of the newest snapshot's markets.
 */
export type RunKind = 'full' | 'prices';

/** A price run does not use an older catalogue. */
const CATALOGUE_MAX_AGE_MS = HOUR_MS;

/**
 * Runs one refresh, as docs/design.md describes it under "One refresh". A price run becomes a full
 * run if there is no snapshot, if its catalogue is old, or if CLOB does not respond. Never throws.
 *
 * @param deadline when the run must be over
 */
export async function runRefresh(
  kind: RunKind,
  deps: RefreshDependencies,
  deadline: UnixMs,
): Promise<RunResult> {
  const started = deps.clock.now();
  try {
    const newest = await readNewest({ ...deps, deadline });
    const startPricesReady = deps.startPrices.load(newest?.markets, started, deadline);
    const run: Run = {
      ...deps,
      started,
      deadline,
      reader: new PriceReader(deps),
      startPricesReady,
    };
    if (kind === 'prices') {
      const publication = await publishPrices(run, newest, TIMEOUTS.priceRunPatienceMs);
      if (publication) return { outcome: { kind: 'prices' }, publications: [publication] };
    }
    return await runFull(run, newest);
  } catch (error) {
    return failed(error);
  }
}

/** The result of a run that published nothing. */
function failed(error: unknown): RunResult {
  return { outcome: { kind: 'failed', error }, publications: [] };
}

/**
 * Publishes new prices of the newest snapshot's markets.
 *
 * @param patienceMs how long to wait for CLOB
 * @returns undefined without a recent catalogue, or if CLOB gives no price
 */
async function publishPrices(
  run: Run,
  newest: Newest,
  patienceMs: number,
): Promise<Publication | undefined> {
  const now = run.clock.now();
  if (!newest || isTooOld(newest.info.catalogueAsOf, now)) return undefined;
  const { info, markets } = newest;
  const deadline = Math.min(run.deadline - TIMEOUTS.pricesBeforeDeadlineMs, now + patienceMs);
  const previous = previousPrices(newest);
  const [reading] = await Promise.all([
    run.reader.read(markets, previous, deadline),
    run.startPricesReady,
  ]);
  if (allFailed(reading)) return undefined;
  const { catalogueAsOf, cataloguePricesAsOf, isCut, counts } = info;
  const times = { asOf: reading.asOf, catalogueAsOf, cataloguePricesAsOf };
  const { priced, tooOld } = priceMarkets(markets.map(withoutPrices), {
    ...reading,
    ...times,
    previous,
    // Only full runs read sizes, so a price run keeps those whose price has not moved.
    levels: previous,
  });
  requireRecentPrices(run, newest, tooOld);
  const skippedByReason = addSkipped(counts.skippedByReason, markets.length - priced.length);
  const content = {
    ...times,
    isCut,
    markets: priced,
    counts: { ...counts, skippedByReason },
    // Only a catalogue shows which markets have closed.
    closed: new Set<string>(),
  };
  return await publish(run, newest, content, reading);
}

/** Whether a price run may not use a catalogue: its closed markets would stay listed. */
function isTooOld(catalogueAsOf: UnixMs, now: UnixMs): boolean {
  return ageSeconds(catalogueAsOf, now) * SECOND_MS > CATALOGUE_MAX_AGE_MS;
}

/**
 * Reads the catalogue and the prices, and publishes both. If the catalogue is late or unusable,
 * publishes new prices of the known markets. Never throws.
 */
async function runFull(run: Run, newestAtStart: Newest): Promise<RunResult> {
  const known = newestAtStart?.markets ?? [];
  const deadline = run.deadline - TIMEOUTS.catalogueBeforeDeadlineMs;
  const crawl = readCatalogue(run, known, deadline);
  // Sizes are read beside the catalogue, so that no publication waits for them.
  const sizes = beginSizes(run, known);
  // Prices of the known markets, if the catalogue is late. Its publication does not wait for them.
  const lateFallback = publishIfLate(run, crawl);
  const result = await publishCrawl(run, newestAtStart, crawl, sizes.levels);
  const { kind } = result.outcome;
  const isUnusable = kind === 'failed' || kind === 'shrunk';
  const ifUnusable = isUnusable ? await publishFallback(run) : NO_FALLBACK;
  const ifLate = await lateFallback;
  await sizes.done;
  return {
    outcome: result.outcome,
    publications: [...ifLate.publications, ...result.publications, ...ifUnusable.publications],
    pricesError: ifUnusable.pricesError ?? ifLate.pricesError,
  };
}

/** Waits for the catalogue and publishes it. Never throws. */
async function publishCrawl(
  run: Run,
  newestAtStart: Newest,
  crawl: Promise<CatalogueReading>,
  levels: ReadonlyMap<string, BestLevels>,
): Promise<RunResult> {
  try {
    return await publishCatalogue(run, newestAtStart, await crawl, levels);
  } catch (error) {
    return failed(error);
  }
}

/** The prices that a full run publishes without its catalogue; `pricesError`: why it could not. */
type Fallback = Pick<RunResult, 'publications' | 'pricesError'>;
const NO_FALLBACK: Fallback = { publications: [] };

/** Waits for the catalogue. If it takes longer than 30 s, publishes the fallback. Never throws. */
async function publishIfLate(run: Run, crawl: Promise<unknown>): Promise<Fallback> {
  try {
    await withTimeout(run.clock, TIMEOUTS.lateCatalogueMs, () => crawl);
    return NO_FALLBACK;
  } catch (error) {
    return error instanceof TimeoutError ? await publishFallback(run) : NO_FALLBACK;
  }
}

/** Publishes new prices of the known markets in place of the catalogue. Never throws. */
async function publishFallback(run: Run): Promise<Fallback> {
  try {
    const publication = await publishPrices(run, await readNewest(run), TIMEOUTS.minPricesMs);
    return publication ? { publications: [publication] } : NO_FALLBACK;
  } catch (pricesError) {
    return { publications: [], pricesError };
  }
}
