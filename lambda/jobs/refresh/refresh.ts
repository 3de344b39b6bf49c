import { ageSeconds, HOUR_MS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { TimeoutError, withTimeout } from '../../io/platform/clock.ts';
import { readCatalogue } from './catalogue.ts';
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
 * `full`: reads the catalogue and the prices. `prices`: reads only the prices of the newest
 * snapshot's markets.
 */
export type RunKind = 'full' | 'prices';

/** A price run does not use an older catalogue, because its closed markets would stay listed. */
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
    const publication =
      kind === 'prices' ? await publishPrices(run, newest, TIMEOUTS.priceRunPatienceMs) : undefined;
    return publication
      ? { outcome: { kind: 'prices' }, publications: [publication] }
      : await runFull(run, newest);
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
  if (!newest || ageSeconds(newest.info.catalogueAsOf, now) * SECOND_MS > CATALOGUE_MAX_AGE_MS)
    return undefined;
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

/**
 * Reads the catalogue and the prices, and publishes both. If the catalogue is late or unusable,
 * publishes new prices of the known markets.
 */
async function runFull(run: Run, newestAtStart: Newest): Promise<RunResult> {
  const deadline = run.deadline - TIMEOUTS.catalogueBeforeDeadlineMs;
  const crawl = readCatalogue(run, newestAtStart?.markets ?? [], deadline);
  // Sizes are read beside the catalogue, so that no publication waits for them.
  const sizes = beginSizes(run, newestAtStart?.markets ?? []);
  // A run that has its catalogue does not wait for these prices before it publishes.
  const earlyPrices = ifLate(run, crawl, () => publishFallback(run));
  const result = await crawl
    .then((catalogue) => publishCatalogue(run, newestAtStart, catalogue, sizes.levels))
    .catch(failed);
  const { kind } = result.outcome;
  const isUnusable = kind === 'failed' || kind === 'shrunk';
  const fallback = isUnusable ? await publishFallback(run) : NO_FALLBACK;
  const early = await earlyPrices;
  await sizes.done;
  return {
    outcome: result.outcome,
    publications: [...early.publications, ...result.publications, ...fallback.publications],
    pricesError: fallback.pricesError ?? early.pricesError,
  };
}

/** What a full run published in place of its catalogue. */
type Fallback = Pick<RunResult, 'publications' | 'pricesError'>;
const NO_FALLBACK: Fallback = { publications: [] };

/** The result of `work`, which begins if the crawl takes too long. */
async function ifLate(
  { clock }: Run,
  crawl: Promise<unknown>,
  work: () => Promise<Fallback>,
): Promise<Fallback> {
  try {
    await withTimeout(clock, TIMEOUTS.lateCatalogueMs, () => crawl);
    return NO_FALLBACK;
  } catch (error) {
    return error instanceof TimeoutError ? await work() : NO_FALLBACK;
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
