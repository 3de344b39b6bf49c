import type { CatalogueMarket, Market, PricedMarket } from '../../core/domain/market.ts';
import { hasSide } from '../../core/domain/price.ts';
import { countSources, hasManyFallbacks, snapshotId } from '../../core/domain/snapshot.ts';
import { ageSeconds, HOUR_MS, isServable, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import { TimeoutError, withTimeout } from '../../io/platform/clock.ts';
import type {
  PointerInfo,
  SnapshotDraft,
  SnapshotWriter,
} from '../../io/snapshots/snapshot-writer.ts';
import { type CatalogueDependencies, type CatalogueReading, readCatalogue } from './catalogue.ts';
import {
  type HistoryCounts,
  type HistoryDependencies,
  HistoryRequests,
} from './history-requests.ts';
import {
  allFailed,
  type PriceDependencies,
  PriceReader,
  type PriceReading,
} from './price-reader.ts';
import { previousPrices, priceMarkets, withoutPrices } from './prices.ts';
import { addSkipped, type Publication, RefreshError, type RunResult } from './run-result.ts';
import { TIMEOUTS } from './timeouts.ts';

/** `prices` covers only the newest snapshot's markets. */
export type RunKind = 'full' | 'prices';

export interface RefreshDependencies
  extends CatalogueDependencies,
    PriceDependencies,
    HistoryDependencies {
  readonly writer: Pick<SnapshotWriter, 'newest' | 'publish' | 'recordShrunkRun'>;
  readonly random: () => number;
}

interface Run extends RefreshDependencies {
  readonly started: UnixMs;
  readonly deadline: UnixMs;
  readonly reader: PriceReader;
  readonly startPricesReady: Promise<void>;
}

type Newest = { readonly info: PointerInfo; readonly markets: readonly Market[] } | undefined;
type SnapshotContent = Pick<
  SnapshotDraft,
  'asOf' | 'catalogueAsOf' | 'cataloguePricesAsOf' | 'isCut'
> & {
  readonly markets: readonly PricedMarket[];
  readonly counts: Pick<SnapshotDraft['counts'], 'skippedByReason' | 'unknownVersions'>;
};

/** Price runs would keep closed markets of an older catalogue. */
const CATALOGUE_MAX_AGE_MS = HOUR_MS;
/**
 * A run with a smaller share of the newest snapshot's markets does not publish, unless it is the
 * third in a row.
 */
const MIN_SHARE_OF_MARKETS = 0.5;
const MAX_SHRUNK_RUNS = 3;
/** If no catalogue confirms a market, it leaves after this many crawls. */
const MAX_MISSED_CRAWLS = 2;
/** If a larger share of the newest snapshot would leave because of old prices, the run fails. */
const MAX_SHARE_TOO_OLD = 0.5;

/**
 * docs/design.md, "One refresh". Without a recent catalogue or CLOB, a price run becomes a full
 * run. Never throws.
 */
export async function runRefresh(
  kind: RunKind,
  deps: RefreshDependencies,
  deadline: UnixMs,
): Promise<RunResult> {
  const started = deps.clock.now();
  try {
    const newest = await deps.writer.newest(Math.min(deadline, started + TIMEOUTS.newestTimeoutMs));
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

function failed(error: unknown): RunResult {
  return { outcome: { kind: 'failed', error }, publications: [] };
}

/** @returns undefined without a recent catalogue, or if CLOB gives no price */
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
  const { asOf } = reading;
  const { catalogueAsOf, cataloguePricesAsOf, isCut, counts } = info;
  const times = { asOf, cataloguePricesAsOf };
  const { priced, tooOld } = priceMarkets(markets.map(withoutPrices), {
    ...reading,
    ...times,
    previous,
  });
  requireRecentPrices(run, newest, tooOld);
  const skippedByReason = addSkipped(counts.skippedByReason, markets.length - priced.length);
  const content = { asOf, catalogueAsOf, cataloguePricesAsOf, isCut, markets: priced };
  return await publish(
    run,
    newest,
    { ...content, counts: { ...counts, skippedByReason } },
    reading,
  );
}

/** If the catalogue is late or unusable, publishes new prices of the known markets. */
async function runFull(run: Run, newestAtStart: Newest): Promise<RunResult> {
  const deadline = run.deadline - TIMEOUTS.catalogueBeforeDeadlineMs;
  const crawl = readCatalogue(run, newestAtStart?.markets ?? [], deadline);
  const earlyPrices = ifLate(run, crawl, () => publishFallback(run));
  const result = await crawl
    .then((catalogue) => publishCatalogue(run, newestAtStart, catalogue))
    .catch(failed);
  const { kind } = result.outcome;
  const fallback =
    kind === 'failed' || kind === 'shrunk' ? await publishFallback(run) : NO_FALLBACK;
  const early = await earlyPrices;
  return {
    outcome: result.outcome,
    publications: [...early.publications, ...result.publications, ...fallback.publications],
    pricesError: fallback.pricesError ?? early.pricesError,
  };
}

type Fallback = Pick<RunResult, 'publications' | 'pricesError'>;
const NO_FALLBACK: Fallback = { publications: [] };

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

async function publishFallback(run: Run): Promise<Fallback> {
  try {
    const publication = await publishPrices(run, await readNewest(run), TIMEOUTS.minPricesMs);
    return publication ? { publications: [publication] } : NO_FALLBACK;
  } catch (pricesError) {
    return { publications: [], pricesError };
  }
}

async function publishCatalogue(
  run: Run,
  newestAtStart: Newest,
  catalogue: CatalogueReading,
): Promise<RunResult> {
  // A price run can publish during the crawl. The pointer's condition protects its snapshot.
  const newestBefore = await readNewest(run).catch(() => newestAtStart);
  const candidates = [...catalogue.markets, ...catalogue.unconfirmed.map(withoutConfirmation)];
  const deadline = waitingDeadline(run, newestBefore);
  const reading = await run.reader.read(candidates, previousPrices(newestBefore), deadline);
  // A reading with failed calls takes up to two minutes. A snapshot published meanwhile has newer
  // prices to carry.
  const newest =
    reading.failed > 0 ? await readNewest(run).catch(() => newestBefore) : newestBefore;
  const previous = previousPrices(newest);
  const open = candidates.filter((market) => isOpen(market, reading));
  // Without CLOB, the snapshot has the catalogue's time.
  const asOf = allFailed(reading) ? catalogue.asOf : reading.asOf;
  const { cataloguePricesAsOf } = catalogue;
  const times = { asOf, cataloguePricesAsOf };
  const { priced, tooOld } = priceMarkets(open, { ...reading, ...times, previous });
  requireRecentPrices(run, newest, tooOld);
  if (priced.length === 0) throw new RefreshError('No market in the catalogue has a price');
  const markets = priced.slice(0, run.maxMarkets);
  const skippedByReason = addSkipped(catalogue.counts.skippedByReason, open.length - priced.length);
  const counts = { ...catalogue.counts, skippedByReason };
  const found = markets.filter(({ missedCrawls }) => missedCrawls === undefined).length;
  if (newest && isShrunk(run, newest.info, found)) {
    await run.writer.recordShrunkRun(newest.info, run.deadline);
    return { outcome: { kind: 'shrunk', catalogue: counts }, publications: [] };
  }
  const catalogueTimes = { catalogueAsOf: catalogue.asOf, cataloguePricesAsOf };
  const isCut = priced.length > markets.length;
  const content = { asOf, ...catalogueTimes, isCut, markets, counts };
  const { publication, histories } = await publishWithHistories(run, newest, content, reading);
  const kind = allFailed(reading) ? 'unpriced' : 'catalogue';
  return { outcome: { kind, catalogue: counts, histories }, publications: [publication] };
}

/** Drops the record's prices, because they may be old. */
function withoutConfirmation(market: Market): CatalogueMarket {
  return { ...withoutPrices(market), catalogue: {}, missedCrawls: (market.missedCrawls ?? 0) + 1 };
}

/** Without confirmation, a market stays open for two crawls while CLOB has a side. */
function isOpen({ missedCrawls, clobTokenId }: CatalogueMarket, { sides }: PriceReading): boolean {
  if (missedCrawls === undefined) return true;
  const book = sides.get(clobTokenId);
  return missedCrawls <= MAX_MISSED_CRAWLS && (!book || hasSide(book));
}

/**
 * If many markets lack a recent price, it is an outage that callers must see.
 *
 * @throws RefreshError
 */
function requireRecentPrices({ clock }: Run, newest: Newest, tooOld: ReadonlySet<string>): void {
  if (!newest || !isServable(ageSeconds(newest.info.asOf, clock.now()))) return;
  const leaving = newest.markets.filter(({ clobTokenId }) => tooOld.has(clobTokenId)).length;
  if (leaving > MAX_SHARE_TOO_OLD * newest.markets.length) {
    throw new RefreshError('The prices of most markets are older than ten minutes');
  }
}

async function publishWithHistories(
  run: Run,
  newest: Newest,
  content: SnapshotContent,
  reading: PriceReading,
): Promise<{ readonly publication: Publication; readonly histories: HistoryCounts }> {
  const { clock, deadline, startPrices } = run;
  const { markets } = content;
  await run.startPricesReady;
  const histories = new HistoryRequests(
    run,
    deadline - TIMEOUTS.historiesBeforeDeadlineMs,
    clock.now(),
  );
  try {
    await histories.beforePublication(markets);
    const publication = await publish(run, newest, content, reading);
    if (publication.outcome === 'published') {
      await startPrices.saveSample(newest?.markets ?? [], markets, reading, deadline);
      await startPrices.saveHistories(clock.now(), deadline);
      await histories.afterPublication(markets);
    }
    return { publication, histories: { ...histories.counts } };
  } finally {
    histories.stop();
    await startPrices.saveHistories(clock.now(), deadline);
  }
}

/** A full run waits for CLOB while readers have fresh data, and a little longer. */
function waitingDeadline({ clock, deadline }: Run, newest: Newest): UnixMs {
  const patient = Math.max(
    clock.now() + TIMEOUTS.minPricesMs,
    (newest?.info.asOf ?? 0) + TIMEOUTS.maxWaitAgeMs,
  );
  return Math.min(deadline - TIMEOUTS.pricesBeforeDeadlineMs, patient);
}

function isShrunk(
  { maxMarkets }: Run,
  { markets, shrunkRuns }: PointerInfo,
  found: number,
): boolean {
  // If the deployer lowers `maxMarkets`, the catalogue has not shrunk.
  const expected = Math.min(markets, maxMarkets);
  return found < expected * MIN_SHARE_OF_MARKETS && shrunkRuns + 1 < MAX_SHRUNK_RUNS;
}

async function publish(
  run: Run,
  newest: Newest,
  { counts, ...content }: SnapshotContent,
  { failed, readUntil }: PriceReading,
): Promise<Publication> {
  const { clock, random, started, deadline, startPrices, writer } = run;
  const { asOf } = content;
  const markets = content.markets.map((market) => startPrices.withChanges(market, asOf));
  const { skippedByReason, unknownVersions } = counts;
  const id = snapshotId(asOf, random);
  const priceCounts = {
    withOneDayChange: markets.filter(({ oneDayPriceChange }) => oneDayPriceChange !== null).length,
    bySource: countSources(markets),
  };
  const snapshot = {
    id,
    ...content,
    markets,
    readUntil,
    failedCalls: failed,
    maxMarkets: run.maxMarkets,
    counts: { skippedByReason, unknownVersions, ...priceCounts },
    ...fieldIf('memorySince', newest?.info.memorySince ?? startPrices.since),
    ...(hasManyFallbacks(priceCounts.bySource)
      ? { fallbackSince: newest?.info.fallbackSince ?? asOf }
      : {}),
  };
  const result = await writer.publish(snapshot, deadline);
  return {
    ...result,
    id,
    asOf,
    markets: markets.length,
    ...priceCounts,
    afterMs: clock.now() - started,
  };
}

function readNewest({ writer, clock, deadline }: Run): Promise<Newest> {
  return writer.newest(Math.min(deadline, clock.now() + TIMEOUTS.newestTimeoutMs));
}
