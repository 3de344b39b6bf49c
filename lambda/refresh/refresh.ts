import { FRESH_SECONDS, PUBLISH_GRACE_SECONDS } from '../contract/constants.ts';
import { ageSeconds } from '../domain/freshness.ts';
import type { Market } from '../domain/market.ts';
import { type Snapshot, snapshotId } from '../domain/snapshot.ts';
import { optional } from '../domain/values.ts';
import type { NewestSnapshotInfo, SnapshotWriter } from '../snapshots/snapshot-writer.ts';
import { type CatalogueReader, type CatalogueReading, readCatalogue } from './catalogue.ts';
import { type HistoryReader, HistoryRequests } from './history-requests.ts';
import {
  countPrices,
  knownMidpoints,
  type MidpointReader,
  type PriceSources,
  priceMarkets,
  readMidpoints,
} from './prices.ts';
import { RefreshError, RunReport } from './run-report.ts';
import { priceKey } from './stored-prices.ts';

/** Seconds that price runs use an old catalogue while Gamma fails. With a longer time, closed markets would stay listed. */
const CATALOGUE_MAX_AGE_SECONDS = 3_600;

/** `prices` reads only the midpoints of the markets that the newest snapshot has. */
export type RunKind = 'full' | 'prices';

export interface RefreshDependencies extends CatalogueReader, MidpointReader, HistoryReader {
  readonly writer: Pick<SnapshotWriter, 'newest' | 'publish' | 'recordShrunkRun'>;
  readonly random: () => number;
}

interface Run extends RefreshDependencies {
  readonly kind: RunKind;
  /** Unix ms. */
  readonly started: number;
  /** When the run must be over, Unix ms. */
  readonly end: number;
  /** Resolves when the start prices are loaded. */
  readonly loaded: Promise<void>;
  readonly report: RunReport;
}

/** The parts of a snapshot and of its sample. */
type Content = Pick<Snapshot, 'catalogueAsOf' | 'markets' | 'counts'> & PriceSources;
type Newest = { readonly info: NewestSnapshotInfo; readonly markets: readonly Market[] };
type MaybeNewest = Newest | undefined;

/** Each step ends this long before the run does, so that the steps after it have time. */
const BEFORE_END_MS = { catalogue: 5_000, histories: 4_000, prices: 2_500 } as const;
/** A full run that is still reading its catalogue after this time publishes new prices of the known markets. */
const LATE_MS = 30_000;
/** Without midpoints, a catalogue that was read longer ago than this is read again: its prices are those of the snapshot. */
const CATALOGUE_PRICES_MAX_AGE_MS = 20_000;
/** The second reading takes 3 to 5 s. */
const SECOND_CATALOGUE_MS = 10_000;
/** Midpoints are read for at least this long. Without any snapshot, catalogue prices now are better than midpoints later. */
const MIN_PRICES_MS = 10_000;
/** A price run tries for this long. Then the next full run is due. */
const PRICE_RUN_MS = 50_000;
/** The table has this long to return the newest snapshot. Without a response, the run fails. */
const NEWEST_TIMEOUT_MS = 10_000;
/** A run with less than this share of the newest snapshot's markets does not publish, unless it is the third in a row. */
const MIN_SHARE_OF_MARKETS = 0.5;
const MAX_SHRUNK_RUNS = 3;
/** A sample needs the midpoints of this share of the markets that had one. */
const MIN_SHARE_OF_SAMPLE = 0.9;

/**
 * One refresh: catalogue, prices, changes, snapshot; then the sample and the rest of the histories. A price run does the
 * same without the catalogue. It becomes a full run when there is no snapshot, or when its catalogue is too old.
 *
 * @param end when the run must be over, Unix ms
 * @param report gets the counts and publications of the run, also when it fails
 * @throws when the run failed. A full run that failed may still have published new prices
 */
export async function runRefresh(kind: RunKind, deps: RefreshDependencies, end: number, report: RunReport) {
  const started = deps.clock.now();
  const run: Run = { ...deps, kind, started, end, report, loaded: deps.startPrices.load(started, end) };
  const newest = await readNewest(run);
  if (kind === 'prices' && canReprice(run, newest)) await publishPrices(run, newest);
  else await publishCatalogue(run, newest);
}

async function publishCatalogue(run: Run, before: MaybeNewest): Promise<void> {
  const histories = new HistoryRequests({ ...run, deadline: run.end - BEFORE_END_MS.histories });
  const { backfill } = run.startPrices;
  try {
    const catalogue = await readCatalogueOrPrices(run, before, histories);
    if (!(await priceAndPublish(run, catalogue, before, histories))) return;
    await backfill.save(run.clock.now(), run.end);
    await histories.afterPublication(catalogue.markets);
  } finally {
    histories.stop();
    await backfill.save(run.clock.now(), run.end);
  }
}

/** @returns whether the snapshot is published; otherwise the run stops */
async function priceAndPublish(run: Run, crawled: CatalogueReading, before: MaybeNewest, histories: HistoryRequests) {
  const { startPrices, report } = run;
  // A price run can have published during the crawl. The pointer's condition protects what it published.
  const newest = await readNewest(run).catch(() => before);
  const known = knownMidpoints(newest?.markets ?? [], newest?.info.asOf ?? 0);
  const tokens = [...crawled.markets, ...crawled.unconfirmed].map(({ clobTokenId }) => clobTokenId);
  const [clob] = await Promise.all([
    readMidpoints(run, tokens, known, pricesDeadline(run, newest), report),
    histories.beforePrices(crawled.markets),
    run.loaded,
  ]);
  const isWithoutClob = clob.failed === clob.calls;
  const catalogue = isWithoutClob ? await withRecentPrices(run, newest, crawled) : crawled;
  const reading = isWithoutClob ? { ...clob, asOf: catalogue.asOf } : clob;
  // A market that the catalogue does not confirm counts as open while it has an order book.
  const confirmed = catalogue.unconfirmed.filter(({ clobTokenId }) => reading.midpoints.has(clobTokenId));
  const all = priceMarkets([...catalogue.markets, ...confirmed], { reading, known }, startPrices);
  report.countUnpriced(catalogue.markets.length + confirmed.length - all.length);
  if (all.length === 0) throw new RefreshError('No market in the catalogue has a price');
  const markets = all.slice(0, run.maxMarkets);
  if (await isShrunk(run, newest, markets.length - confirmed.length)) {
    await publishPricesInstead(run);
    return false;
  }
  const { skipped, skippedByReason, unknownVersions } = report;
  const counts = { skipped, skippedByReason, unknownVersions, ...countPrices(markets) };
  return await publish(run, newest, { reading, known, catalogueAsOf: run.started, markets, counts });
}

/**
 * The catalogue for a run that has no other prices: read again when it is old.
 *
 * @throws RefreshError while readers have fresh data, which is better
 */
async function withRecentPrices(run: Run, newest: MaybeNewest, catalogue: CatalogueReading) {
  const now = run.clock.now();
  if (newest && ageSeconds(newest.info.asOf, now) < FRESH_SECONDS) throw new RefreshError('CLOB returned no midpoints');
  if (now - catalogue.endedAt <= CATALOGUE_PRICES_MAX_AGE_MS) return catalogue;
  // The counts stay those of the first reading, which is also published if the second one fails: its time says how old it is.
  const again = readCatalogue(run, newest?.markets ?? [], now + SECOND_CATALOGUE_MS, new RunReport());
  return await again.catch(() => catalogue);
}

/** @throws what reading the catalogue throws, after new prices of the known markets are published */
async function readCatalogueOrPrices(run: Run, before: MaybeNewest, histories: HistoryRequests) {
  const deadline = run.end - BEFORE_END_MS.catalogue;
  let late: Promise<void> | undefined;
  const cancel = run.clock.after(LATE_MS, () => {
    late = publishPricesInstead(run);
  });
  try {
    return await readCatalogue(run, before?.markets ?? [], deadline, run.report, (markets) => histories.add(markets));
  } catch (error) {
    await late;
    late = publishPricesInstead(run);
    throw error;
  } finally {
    cancel();
    await late;
  }
}

/** For a full run that cannot publish its catalogue. Never throws. */
async function publishPricesInstead(run: Run): Promise<void> {
  try {
    const newest = await readNewest(run);
    if (canReprice(run, newest)) await publishPrices(run, newest);
  } catch (error) {
    run.report.pricesError = error;
  }
}

/** Whether the markets of the newest snapshot can be published with new prices. */
function canReprice({ clock }: Run, newest: MaybeNewest): newest is Newest {
  if (!newest || newest.markets.length === 0) return false;
  return clock.now() - newest.info.catalogueAsOf <= CATALOGUE_MAX_AGE_SECONDS * 1_000;
}

/** @throws when no midpoint can be read: the prices of the newest snapshot must not be shown as new */
async function publishPrices(run: Run, newest: Newest): Promise<void> {
  const { clock, startPrices, end, report } = run;
  const { info, markets: before } = newest;
  const known = knownMidpoints(before, info.asOf);
  const tokens = before.map(({ clobTokenId }) => clobTokenId);
  const deadline = Math.min(end - BEFORE_END_MS.prices, clock.now() + PRICE_RUN_MS);
  const [reading] = await Promise.all([readMidpoints(run, tokens, known, deadline, report), run.loaded]);
  if (reading.failed === reading.calls) throw new RefreshError('CLOB returned no midpoints');
  const markets = priceMarkets(before, { reading, known }, startPrices);
  const counts = { ...info.counts, ...countPrices(markets) };
  await publish(run, newest, { reading, known, catalogueAsOf: info.catalogueAsOf, markets, counts });
}

/** A full run then stores a sample, when one is due. @returns false when another run has published newer data */
async function publish(run: Run, newest: MaybeNewest, content: Content): Promise<boolean> {
  const { reading, known, ...rest } = content;
  const { asOf } = reading;
  const id = snapshotId(asOf, run.random);
  const memorySince = optional('memorySince', newest?.info.memorySince ?? run.startPrices.samples.since);
  const result = await run.writer.publish({ id, asOf, ...rest, ...memorySince }, run.end);
  const { withOneDayChange, cataloguePriced } = rest.counts;
  const counts = { markets: rest.markets.length, withOneDayChange, cataloguePriced };
  run.report.publications.push({ ...result, id, asOf, ...counts, afterMs: run.clock.now() - run.started });
  const isPublished = result.outcome === 'published';
  if (isPublished && run.kind === 'full') await saveSample(run, content);
  return isPublished;
}

/** @returns whether the run found too few markets, which it then records */
async function isShrunk(run: Run, newest: MaybeNewest, found: number): Promise<boolean> {
  if (!newest) return false;
  // A stage whose `maxMarkets` was lowered has not shrunk.
  const expected = Math.min(newest.info.markets, run.maxMarkets);
  if (found >= expected * MIN_SHARE_OF_MARKETS || newest.info.shrunkRuns + 1 >= MAX_SHRUNK_RUNS) return false;
  run.report.shrunk = true;
  await run.writer.recordShrunkRun(newest.info, run.end);
  return true;
}

/** Stores CLOB's midpoints, unless too many are missing of markets that had one before. */
async function saveSample({ startPrices, end }: Run, { reading, known, markets }: Content): Promise<void> {
  const had = markets.filter(({ clobTokenId }) => known.has(clobTokenId));
  const fromClob = markets.filter(({ clobTokenId }) => reading.midpoints.has(clobTokenId));
  const has = fromClob.filter(({ clobTokenId }) => known.has(clobTokenId));
  if (reading.failed > 0 || has.length < MIN_SHARE_OF_SAMPLE * had.length) return;
  const prices = new Map<string, number>();
  for (const { id, midpoint } of fromClob) if (midpoint !== undefined) prices.set(priceKey(id), midpoint);
  await startPrices.samples.save(reading.asOf, prices, end);
}

/**
 * Unix ms until which midpoints are read: as long as readers have fresh data, which is better than catalogue prices. Half
 * of the time in which they serve older data is left for publishing, after the time for reading the catalogue again.
 */
function pricesDeadline({ clock, end }: Run, newest: MaybeNewest): number {
  const now = clock.now();
  const waitUntil = (newest?.info.asOf ?? 0) + (FRESH_SECONDS + PUBLISH_GRACE_SECONDS / 2) * 1_000;
  const deadline = Math.max(now + MIN_PRICES_MS, waitUntil - SECOND_CATALOGUE_MS);
  return Math.min(end - BEFORE_END_MS.prices - SECOND_CATALOGUE_MS, deadline);
}

function readNewest({ writer, clock, end }: Run): Promise<MaybeNewest> {
  return writer.newest(Math.min(end, clock.now() + NEWEST_TIMEOUT_MS));
}
