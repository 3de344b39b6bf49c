import { HISTORY_BATCH_TOKENS, LONG_CHANGE_MARKETS } from '../contract/constants.ts';
import { byVolume, type CatalogueMarket } from '../domain/market.ts';
import { type MemoryReport, type SnapshotEntry, snapshotId } from '../domain/snapshot.ts';
import type { Clock } from '../platform/clock.ts';
import { type BandPlan, BandsIgnoredError, crawlBands, PLAIN_MARKETS } from './bands.ts';
import { runDeadlines } from './budget.ts';
import { crawl } from './crawl.ts';
import { enrich } from './enrich.ts';
import { ForgetfulMemory } from './forgetful-memory.ts';
import { Histories } from './histories.ts';
import type { Catalogue, PriceMemory, Prices, SnapshotPublisher } from './ports.ts';
import { sweepPrices } from './price-sweep.ts';
import { RunReport } from './run-report.ts';
import type { TailTurns } from './tail-turns.ts';

export interface RefreshDependencies {
  readonly catalogue: Catalogue;
  readonly prices: Prices;
  readonly publisher: SnapshotPublisher;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxMarkets: number;
  /** The service's own memory of prices. @default none that outlives the run */
  readonly memory?: PriceMemory;
  /** How to read the catalogue side by side. @default page after page */
  readonly bands?: BandPlan;
  /** Which part of a large catalogue a run reads. @default all of it */
  readonly turns?: TailTurns;
  /** Told the markets kept so far, page by page. */
  readonly onProgress?: (markets: number) => void;
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
/** Take the places of those at the top that turn out to have no price: their changes must be there too (F32). */
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
  const { catalogue, prices, publisher, clock, random, maxMarkets, onProgress } = dependencies;
  const started = clock.now();
  const deadlines = runDeadlines(end);
  const report = new RunReport();
  const memory = dependencies.memory ?? new ForgetfulMemory();

  const opening = memory.open(started, Math.min(end, started + OPENING_MS)).then((failed) => {
    report.memoryReadsFailed = failed;
  });
  // Without it the catalogue is read page after page; a store that fails now fails again below, where it matters.
  const newest = await publisher.newest(end).catch(() => undefined);
  const unpriced = (newest?.entries ?? []).filter(({ midpoint }) => midpoint === undefined);
  const histories = new Histories(
    prices,
    memory,
    opening,
    clock,
    deadlines,
    report,
    new Set(unpriced.map(({ market }) => market.clobTokenId)),
  );
  let markets: CatalogueMarket[] = [];
  const onPage = (page: readonly CatalogueMarket[]) => {
    markets.push(...page);
    histories.add(page.map((market) => market.yesTokenId));
    onProgress?.(markets.length);
  };
  // Most of the top is known before the catalogue is; the rest of it follows in `settle` below.
  histories.addLong(
    (newest?.entries ?? []).slice(0, LONG_CHANGE_MARKETS).map(({ market }) => market.clobTokenId),
  );
  const volumes = (newest?.entries ?? []).map(({ market }) => market.volume);
  const all = dependencies.bands?.bands(volumes, maxMarkets, clock.now());
  const bands = all && (dependencies.turns?.bands(all, volumes.length, clock.now()) ?? all);
  if (bands) {
    try {
      report.bands = bands.length;
      await crawlBands(catalogue, bands, deadlines.catalogue, report, onPage);
    } catch (error) {
      if (!(error instanceof BandsIgnoredError)) throw error;
      dependencies.bands?.ignored(clock.now());
      report.bandsIgnored = true;
      markets = [];
    }
  }
  if (!bands || report.bandsIgnored) {
    const most = dependencies.bands ? Math.min(maxMarkets, PLAIN_MARKETS) : maxMarkets;
    for await (const page of crawl(catalogue, most, deadlines.catalogue, report)) onPage(page);
  }
  if (markets.length === 0) throw new Error('The catalogue holds no market that can be listed');
  markets.sort(byVolume);
  // A tail that was not this run's turn, and what plain cursors do not reach in time.
  const before = maxMarkets > PLAIN_MARKETS && dependencies.turns ? (newest?.entries ?? []) : [];
  const tokens = [
    ...new Set([
      ...markets.map((market) => market.yesTokenId),
      ...before.map(({ market }) => market.clobTokenId),
    ]),
  ];
  await histories.settle(tokens, LONG_CHANGE_MARKETS + SPARE_MARKETS);

  const catalogueAsOf = started;
  const asOf = clock.now();
  const [midpoints, previous] = await Promise.all([
    sweepPrices(prices, tokens, deadlines.prices, report),
    publisher.latest(end),
  ]);

  const carried = dependencies.turns?.carried(before, markets, bands ?? [], midpoints) ?? [];
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

  // A stage that asks for fewer than before is not a universe that has shrunk.
  const expected = Math.min(previous?.markets ?? 0, maxMarkets);
  const shrunk = previous !== undefined && entries.length < expected * BELIEVABLE_SHARE;
  if (shrunk && previous.shrunkRuns + 1 < SHRUNK_RUNS_TO_BELIEVE) {
    await publisher.recordShrunkRun(previous, end);
    return finish('shrunk');
  }
  const { skippedTotal: skipped, withOneDayChange, cataloguePriced } = report;
  const counts = { skipped, skippedByReason: report.skipped, withOneDayChange, cataloguePriced };
  const told = memoryReport(report, memory, asOf);
  const { outcome, bytes, chunks } = await publisher.publish(
    { id, asOf, catalogueAsOf, memory: told, entries, counts },
    end,
  );
  const result = finish(outcome, bytes, chunks);
  report.memoryKept = await memory.keep(asOf, midpointsOf(entries), end);
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
