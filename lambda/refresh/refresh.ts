import { HISTORY_BATCH_TOKENS, LONG_CHANGE_MARKETS } from '../contract/constants.ts';
import type { CatalogueMarket } from '../domain/market.ts';
import { type MemoryReport, type SnapshotEntry, snapshotId } from '../domain/snapshot.ts';
import { isInBands } from './bands.ts';
import { pricesDeadline, runDeadlines } from './budget.ts';
import { enrich } from './enrich.ts';
import { ForgetfulMemory } from './forgetful-memory.ts';
import { Histories } from './histories.ts';
import type { PriceMemory, Prices, SnapshotPublisher } from './ports.ts';
import { sweepPrices } from './price-sweep.ts';
import { type CatalogueReader, readCatalogue } from './read-catalogue.ts';
import { RunReport } from './run-report.ts';

export interface RefreshDependencies extends CatalogueReader {
  readonly prices: Prices;
  readonly publisher: SnapshotPublisher;
  readonly random: () => number;
  /** The service's own memory of prices. @default none that outlives the run */
  readonly memory?: PriceMemory;
  /** Told the markets kept so far, page by page. */
  readonly onProgress?: (markets: number) => void;
  /** Told when everything but the prices is read. */
  readonly onPrices?: () => void;
}

export interface RefreshResult {
  /** `superseded`: a newer snapshot was there; `shrunk`: too few markets to believe in. Both are good ends. */
  readonly outcome: 'published' | 'superseded' | 'shrunk';
  readonly snapshotId: string;
  readonly report: RunReport;
  readonly durationMs: number;
  /** From the reading of the prices to the published pointer. */
  readonly publishMs: number;
  readonly bytes: number;
  readonly chunks: number;
}

/** A store that does not respond must not keep a run from the upstream. */
const OPENING_MS = 5_000;
/** Take the places of those at the top that turn out to have no price: their changes must be there too. */
const SPARE_MARKETS = HISTORY_BATCH_TOKENS;
/** A run that finds less than this share of the previous snapshot's markets does not publish … */
const BELIEVABLE_SHARE = 0.5;
/** … unless it is the third in a row (design 3). */
const SHRUNK_RUNS_TO_BELIEVE = 3;

/**
 * One refresh (design 3): the catalogue with the price histories alongside, then the prices, then the snapshot.
 *
 * @param end absolute ms at which the run must be over
 * @throws when the catalogue or the store fails; the previous snapshot stays
 */
export async function refresh(dependencies: RefreshDependencies, end: number): Promise<RefreshResult> {
  const { prices, publisher, clock, random, maxMarkets, onProgress } = dependencies;
  const started = clock.now();
  const deadlines = runDeadlines(end);
  const report = new RunReport();
  const memory = dependencies.memory ?? new ForgetfulMemory();

  const opening = memory.open(started, Math.min(end, started + OPENING_MS)).then((failed) => {
    report.memoryReadsFailed = failed;
  });
  // Without it the catalogue is read page after page; a store that fails now fails again below, where it matters.
  const newest = await publisher.newest(end).catch(() => undefined);
  // Where calls for them failed, a missing midpoint says nothing of its market.
  const known = newest?.published.counts.midpointCallsFailed ? [] : (newest?.entries ?? []);
  const unpriced = known.filter(({ midpoint }) => midpoint === undefined);
  const histories = new Histories(
    prices,
    memory,
    opening,
    clock,
    deadlines,
    report,
    new Set(unpriced.map(({ market }) => market.clobTokenId)),
  );
  // Most of the top is known before the catalogue is; the rest of it follows in `settle` below.
  histories.addLong(
    (newest?.entries ?? []).slice(0, LONG_CHANGE_MARKETS).map(({ market }) => market.clobTokenId),
  );
  let read = 0;
  const onMarkets = (some: readonly CatalogueMarket[]) => {
    histories.add(some.map((market) => market.yesTokenId));
    read += some.length;
    onProgress?.(read);
  };
  const { markets, unread, bands } = await readCatalogue(
    dependencies,
    newest?.entries ?? [],
    deadlines.catalogue,
    report,
    onMarkets,
  );
  const tokens = [
    ...new Set([
      ...markets.map((market) => market.yesTokenId),
      ...unread.map(({ market }) => market.clobTokenId),
    ]),
  ];
  await histories.settle(tokens, LONG_CHANGE_MARKETS + SPARE_MARKETS);

  const catalogueAsOf = started;
  dependencies.onPrices?.();
  const now = clock.now();
  const [sweep, previous, failed] = await Promise.all([
    sweepPrices(prices, tokens, pricesDeadline(end, now, newest?.published.asOf), clock),
    publisher.latest(end),
    // Where it was empty another first run may have been at it, whose snapshot this one takes the place of.
    memory.since === undefined ? memory.open(now, deadlines.prices) : 0,
  ]);
  const { asOf, midpoints } = sweep;
  report.midpointBatchesFailed = sweep.failed;
  report.memoryReadsFailed += failed;

  const carried = dependencies.turns?.carried(unread, markets, bands, midpoints) ?? [];
  report.carried = carried.length;
  const entries = enrich(markets, carried, midpoints, memory, asOf, report).slice(0, maxMarkets);
  report.markets = entries.length;
  report.withOneDayChange = entries.filter(({ market }) => market.oneDayPriceChange !== null).length;
  const id = snapshotId(asOf, random);
  const finish = (outcome: RefreshResult['outcome'], bytes = 0, chunks = 0): RefreshResult => ({
    outcome,
    snapshotId: id,
    report,
    durationMs: clock.now() - started,
    publishMs: clock.now() - asOf,
    bytes,
    chunks,
  });

  // A stage that asks for fewer than before is not a catalogue that has shrunk.
  const expected = Math.min(previous?.markets ?? 0, maxMarkets);
  const doubtful = carried.filter(({ market }) => isInBands(bands, market.volume)).length;
  const shrunk = previous !== undefined && entries.length - doubtful < expected * BELIEVABLE_SHARE;
  if (shrunk && previous.shrunkRuns + 1 < SHRUNK_RUNS_TO_BELIEVE) {
    await publisher.recordShrunkRun(previous, end);
    return finish('shrunk');
  }
  const { skippedTotal: skipped, withOneDayChange, cataloguePriced } = report;
  const counts = {
    skipped,
    skippedByReason: report.skipped,
    withOneDayChange,
    cataloguePriced,
    ...(sweep.failed > 0 ? { midpointCallsFailed: sweep.failed } : {}),
  };
  const told = memoryReport(report, memory, asOf);
  const { outcome, bytes, chunks } = await publisher.publish(
    { id, asOf, catalogueAsOf, memory: told, entries, counts },
    end,
  );
  const result = finish(outcome, bytes, chunks);
  const midpointsNow = midpointsOf(entries);
  report.memoryKept = await memory.keep(asOf, midpointsNow, end);
  // A slow route is given the time that is left: the next run then has less to ask for.
  if (await histories.rest()) report.memoryKept = await memory.keep(asOf, midpointsNow, end);
  return result;
}

/** The midpoints that are believed, by token: what the memory keeps. */
export function midpointsOf(entries: readonly SnapshotEntry[]): Map<string, number> {
  return new Map(
    entries.flatMap(({ market, midpoint }) =>
      midpoint === undefined ? [] : [[market.clobTokenId, midpoint] as const],
    ),
  );
}

function memoryReport(report: RunReport, { since }: PriceMemory, asOf: number): MemoryReport {
  const { ownOneDay, ownSevenDay, ownThirtyDay } = report;
  return { since: since ?? asOf, oneDay: ownOneDay, sevenDay: ownSevenDay, thirtyDay: ownThirtyDay };
}
