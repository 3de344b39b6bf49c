import { ageSeconds } from '../../core/domain/freshness.ts';
import type { Market, PricedMarket } from '../../core/domain/market.ts';
import { hasSide } from '../../core/domain/price.ts';
import { type Snapshot, snapshotId } from '../../core/domain/snapshot.ts';
import { HOUR_MS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import { TimeoutError, withTimeout } from '../../io/platform/clock.ts';
import type { NewestSnapshotInfo, SnapshotWriter } from '../../io/snapshots/snapshot-writer.ts';
import { type CatalogueDependencies, type CatalogueReading, readCatalogue } from './catalogue.ts';
import { type HistoryCounts, type HistoryDependencies, HistoryRequests } from './history-requests.ts';
import {
  allFailed,
  byToken,
  type PriceDependencies,
  type PriceReading,
  priceMarkets,
  pricesToKeep,
  readPrices,
  withoutPrices,
} from './prices.ts';
import { addSkipped, countSkipped, type Publication, RefreshError, type RunResult } from './run-result.ts';
import { priceKey } from './stored-prices.ts';
import { TIMELINE } from './timeline.ts';

/** `prices` reads only the prices of the markets that the newest snapshot has. */
export type RunKind = 'full' | 'prices';

export interface RefreshDependencies extends CatalogueDependencies, PriceDependencies, HistoryDependencies {
  readonly writer: Pick<SnapshotWriter, 'newest' | 'publish' | 'recordShrunkRun'>;
  readonly random: () => number;
}

interface Run extends RefreshDependencies {
  readonly started: UnixMs;
  /** When the run must be over. */
  readonly deadline: UnixMs;
  readonly startPricesReady: Promise<void>;
}

type Newest = { readonly info: NewestSnapshotInfo; readonly markets: readonly Market[] } | undefined;
type SnapshotContent<M> = Pick<Snapshot, 'asOf' | 'catalogueAsOf'> & {
  readonly markets: readonly M[];
  readonly counts: Pick<Snapshot['counts'], 'skippedByReason' | 'unknownVersions'>;
};

/** A price run does not use an older catalogue: its closed markets would stay listed. */
const CATALOGUE_MAX_AGE_MS = HOUR_MS;
/** A run with a smaller share of the newest snapshot's markets does not publish, unless it is the third in a row. */
const MIN_SHARE_OF_MARKETS = 0.5;
const MAX_SHRUNK_RUNS = 3;
/** A sample needs this share of the midpoints that the newest snapshot had. */
const MIN_SHARE_OF_SAMPLE = 0.9;

/**
 * One refresh (docs/design.md, "One refresh"). A price run becomes a full run if there is no snapshot, if its catalogue
 * is too old, or if CLOB does not respond. Never throws.
 */
export async function runRefresh(kind: RunKind, deps: RefreshDependencies, deadline: UnixMs): Promise<RunResult> {
  const started = deps.clock.now();
  try {
    const newest = await deps.writer.newest(Math.min(deadline, started + TIMELINE.newestTimeoutMs));
    const startPricesReady = deps.startPrices.load(newest?.markets, started, deadline);
    const run: Run = { ...deps, started, deadline, startPricesReady };
    const publication = kind === 'prices' ? await publishPrices(run, newest, TIMELINE.priceRunPatienceMs) : undefined;
    return publication ? { outcome: { kind: 'prices' }, publications: [publication] } : await runFull(run, newest);
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): RunResult {
  return { outcome: { kind: 'failed', error }, publications: [] };
}

/** @returns undefined if there is no recent catalogue, or if CLOB gives no price */
async function publishPrices(run: Run, newest: Newest, patienceMs: number): Promise<Publication | undefined> {
  const { clock, startPrices } = run;
  const now = clock.now();
  if (!newest || ageSeconds(newest.info.catalogueAsOf, now) * SECOND_MS > CATALOGUE_MAX_AGE_MS) return undefined;
  const { info, markets } = newest;
  const deadline = Math.min(run.deadline - TIMELINE.pricesBeforeDeadlineMs, now + patienceMs);
  const tokens = markets.map(({ clobTokenId }) => clobTokenId);
  const [reading] = await Promise.all([readPrices(run, tokens, byToken(markets), deadline), run.startPricesReady]);
  if (allFailed(reading)) return undefined;
  const { asOf } = reading;
  const priced = priceMarkets(markets.map(withoutPrices), reading, pricesToKeep(newest, asOf));
  const { catalogueAsOf, counts } = info;
  const skippedByReason = addSkipped(counts.skippedByReason, markets.length - priced.length);
  const changed = priced.map((market) => startPrices.withChanges(market, asOf));
  const content = { asOf, catalogueAsOf, markets: changed, counts: { ...counts, skippedByReason } };
  return await publish(run, newest, content, reading);
}

/** If the catalogue is late or cannot be published, the run publishes new prices of the known markets. */
async function runFull(run: Run, newestAtStart: Newest): Promise<RunResult> {
  const deadline = run.deadline - TIMELINE.catalogueBeforeDeadlineMs;
  const crawl = readCatalogue(run, newestAtStart?.markets ?? [], deadline);
  // A run that has its catalogue does not wait for these prices.
  const earlyPrices = ifLate(run, crawl, () => publishFallback(run));
  const result = await crawl.then((catalogue) => publishCatalogue(run, newestAtStart, catalogue)).catch(failed);
  const { kind } = result.outcome;
  const fallback = kind === 'failed' || kind === 'shrunk' ? await publishFallback(run) : NO_FALLBACK;
  const early = await earlyPrices;
  return {
    outcome: result.outcome,
    publications: [...early.publications, ...result.publications, ...fallback.publications],
    pricesError: fallback.pricesError ?? early.pricesError,
  };
}

/** New prices in place of a catalogue. */
type Fallback = Pick<RunResult, 'publications' | 'pricesError'>;
const NO_FALLBACK: Fallback = { publications: [] };

/** Begins `work` if the crawl takes too long. */
async function ifLate({ clock }: Run, crawl: Promise<unknown>, work: () => Promise<Fallback>): Promise<Fallback> {
  try {
    await withTimeout(clock, TIMELINE.lateCatalogueMs, () => crawl);
    return NO_FALLBACK;
  } catch (error) {
    return error instanceof TimeoutError ? await work() : NO_FALLBACK;
  }
}

/** Never throws. */
async function publishFallback(run: Run): Promise<Fallback> {
  try {
    const publication = await publishPrices(run, await readNewest(run), TIMELINE.minPricesMs);
    return publication ? { publications: [publication] } : NO_FALLBACK;
  } catch (pricesError) {
    return { publications: [], pricesError };
  }
}

async function publishCatalogue(run: Run, newestAtStart: Newest, catalogue: CatalogueReading): Promise<RunResult> {
  // A price run can publish during the crawl. The pointer's condition protects its snapshot.
  const newest = await readNewest(run).catch(() => newestAtStart);
  const candidates = [...catalogue.markets, ...catalogue.unconfirmed.map(withoutPrices)];
  const tokens = candidates.map(({ clobTokenId }) => clobTokenId);
  const reading = await readPrices(run, tokens, byToken(newest?.markets ?? []), waitingDeadline(run, newest));
  // Without CLOB, the run publishes the catalogue's prices with the catalogue's time.
  const asOf = allFailed(reading) ? catalogue.asOf : reading.asOf;
  const previous = allFailed(reading) ? byToken([]) : pricesToKeep(newest, asOf);
  // A market that the catalogue does not confirm counts as open while it has an order book.
  const unconfirmed = new Set(catalogue.unconfirmed.map(({ clobTokenId }) => clobTokenId));
  const hasBook = (token: string): boolean => hasSide(reading.sides.get(token) ?? {});
  const open = candidates.filter(({ clobTokenId }) => !unconfirmed.has(clobTokenId) || hasBook(clobTokenId));
  const priced = priceMarkets(open, reading, previous);
  if (priced.length === 0) throw new RefreshError('No market in the catalogue has a price');
  const markets = priced.slice(0, run.maxMarkets);
  const skippedByReason = addSkipped(catalogue.counts.skippedByReason, open.length - priced.length);
  const counts = { ...catalogue.counts, skippedByReason };
  const found = markets.filter(({ clobTokenId }) => !unconfirmed.has(clobTokenId)).length;
  if (newest && isShrunk(run, newest.info, found)) {
    await run.writer.recordShrunkRun(newest.info, run.deadline);
    return { outcome: { kind: 'shrunk', catalogue: counts }, publications: [] };
  }
  const content = { asOf, catalogueAsOf: catalogue.asOf, markets, counts };
  const { publication, histories } = await publishWithHistories(run, newest, content, reading);
  const kind = allFailed(reading) ? 'unpriced' : 'catalogue';
  return { outcome: { kind, catalogue: counts, histories }, publications: [publication] };
}

/** Publishes the markets with their changes. Then it stores the sample, and the histories that later runs need. */
async function publishWithHistories(
  run: Run,
  newest: Newest,
  { asOf, markets, ...content }: SnapshotContent<PricedMarket>,
  reading: PriceReading,
): Promise<{ readonly publication: Publication; readonly histories: HistoryCounts }> {
  const { clock, deadline, startPrices } = run;
  await run.startPricesReady;
  const histories = new HistoryRequests(run, deadline - TIMELINE.historiesBeforeDeadlineMs, clock.now());
  try {
    await histories.beforePublication(markets);
    const changed = markets.map((market) => startPrices.withChanges(market, asOf));
    const publication = await publish(run, newest, { asOf, markets: changed, ...content }, reading);
    if (publication.outcome === 'published') {
      await saveSample(run, newest, markets, reading);
      await startPrices.backfill.save(clock.now(), deadline);
      await histories.afterPublication(markets);
    }
    return { publication, histories: histories.counts };
  } finally {
    histories.stop();
    await startPrices.backfill.save(clock.now(), deadline);
  }
}

/** A full run waits for CLOB while readers have fresh data, and a little longer. */
function waitingDeadline({ clock, deadline }: Run, newest: Newest): UnixMs {
  const patient = Math.max(clock.now() + TIMELINE.minPricesMs, (newest?.info.asOf ?? 0) + TIMELINE.maxWaitAgeMs);
  return Math.min(deadline - TIMELINE.pricesBeforeDeadlineMs, patient);
}

function isShrunk({ maxMarkets }: Run, { markets, shrunkRuns }: NewestSnapshotInfo, found: number): boolean {
  // A lower `maxMarkets` is not a shrunken catalogue.
  const expected = Math.min(markets, maxMarkets);
  return found < expected * MIN_SHARE_OF_MARKETS && shrunkRuns + 1 < MAX_SHRUNK_RUNS;
}

async function publish(
  run: Run,
  newest: Newest,
  { asOf, catalogueAsOf, markets, counts }: SnapshotContent<Market>,
  { calls, failed }: PriceReading,
): Promise<Publication> {
  const { clock, random, started, deadline, startPrices, writer } = run;
  const { skippedByReason, unknownVersions } = counts;
  const id = snapshotId(asOf, random);
  const priceCounts = {
    withOneDayChange: markets.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null).length,
    cataloguePriced: markets.filter(({ priceSource }) => priceSource === 'catalogue').length,
  };
  const snapshot = {
    id,
    asOf,
    catalogueAsOf,
    markets,
    counts: { skipped: countSkipped(skippedByReason), skippedByReason, unknownVersions, ...priceCounts },
    ...fieldIf('memorySince', newest?.info.memorySince ?? startPrices.samples.since),
  };
  const result = await writer.publish(snapshot, deadline);
  const read = { priceCalls: calls, priceCallsFailed: failed, afterMs: clock.now() - started };
  return { ...result, id, asOf, markets: markets.length, ...priceCounts, ...read };
}

/** Stores the midpoints, unless a call failed or too many markets have lost theirs. */
async function saveSample(
  { startPrices, deadline }: Run,
  newest: Newest,
  markets: readonly PricedMarket[],
  { asOf, failed }: PriceReading,
): Promise<void> {
  const before = byToken(newest?.markets ?? []);
  const had = markets.filter(({ clobTokenId }) => before.get(clobTokenId)?.midpoint !== undefined);
  const has = had.filter(({ midpoint }) => midpoint !== undefined);
  if (failed > 0 || has.length < MIN_SHARE_OF_SAMPLE * had.length) return;
  const prices = markets.map(({ clobTokenId, midpoint }) => [priceKey(clobTokenId), midpoint ?? null] as const);
  await startPrices.samples.save(asOf, new Map(prices), deadline);
}

function readNewest({ writer, clock, deadline }: Run): Promise<Newest> {
  return writer.newest(Math.min(deadline, clock.now() + TIMELINE.newestTimeoutMs));
}
