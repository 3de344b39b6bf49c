import { CATALOGUE_SERVED_SECONDS, MIDPOINTS_BATCH_TOKENS } from '../contract/constants.ts';
import { repriced } from '../domain/reprice.ts';
import { snapshotId } from '../domain/snapshot.ts';
import { runDeadlines } from './budget.ts';
import { sweepPrices } from './price-sweep.ts';
import { midpointsOf, type RefreshDependencies, type RefreshResult } from './refresh.ts';
import { RunReport } from './run-report.ts';

/** Of the markets that had a midpoint a minute ago this share has one, or the response is not believed; but of a few. */
const LEAST_SHARE = 0.5;
const FEW_MARKETS = 20;
/** A run tries to read prices for so long: then the next one is at it. */
const PRICES_MS = 60_000;

/**
 * Reads the prices of the newest snapshot's markets anew and publishes them with the facts that it has (design 3).
 *
 * @param end absolute ms at which the run must be over
 * @returns undefined where there is no snapshot, its catalogue is too old, or it lacks prices that could not be read, and with
 *   them the starts of the windows: then a full run is due
 * @throws when prices are missing that another call would have brought: the previous snapshot is better than half a one
 */
export async function refreshPrices(
  { prices, publisher, clock, random, memory: own }: RefreshDependencies,
  end: number,
): Promise<RefreshResult | undefined> {
  const started = clock.now();
  const newest = await publisher.newest(end);
  const catalogueAsOf = newest?.published.catalogueAsOf ?? newest?.published.asOf ?? 0;
  if (!newest?.entries.length || newest.published.counts.midpointCallsFailed) return undefined;
  if (started - catalogueAsOf > CATALOGUE_SERVED_SECONDS * 1_000) return undefined;
  const had = newest.entries.filter(({ midpoint }) => midpoint !== undefined).length;

  const report = new RunReport();
  const tokens = newest.entries.map(({ market }) => market.clobTokenId);
  const deadline = Math.min(runDeadlines(end).prices, started + PRICES_MS);
  const { asOf, midpoints, failed } = await sweepPrices(prices, tokens, deadline, clock);
  if (failed > 0) {
    const calls = Math.ceil(tokens.length / MIDPOINTS_BATCH_TOKENS);
    throw new Error(`Not all prices could be read: ${failed} of ${calls} calls for midpoints failed`);
  }

  const entries = newest.entries.map((entry) => repriced(entry, midpoints.get(entry.market.clobTokenId)));
  const has = entries.filter(({ midpoint }) => midpoint !== undefined).length;
  if (had >= FEW_MARKETS && has < LEAST_SHARE * had) {
    throw new Error(`Not all prices could be read: of ${had} markets that had a midpoint ${has} have one`);
  }
  report.markets = entries.length;
  report.withOneDayChange = entries.filter(({ market }) => market.oneDayPriceChange !== null).length;
  report.cataloguePriced = entries.length - has;
  const { withOneDayChange, cataloguePriced } = report;
  const { memory, counts } = newest.published;
  const id = snapshotId(asOf, random);
  const published = await publisher.publish(
    {
      id,
      asOf,
      catalogueAsOf,
      ...(memory ? { memory } : {}),
      entries,
      counts: { ...counts, withOneDayChange, cataloguePriced },
    },
    end,
  );
  const now = clock.now();
  report.memoryKept = (await own?.keep(asOf, midpointsOf(entries), end)) ?? true;
  return { ...published, snapshotId: id, report, durationMs: now - started, publishMs: now - asOf };
}
