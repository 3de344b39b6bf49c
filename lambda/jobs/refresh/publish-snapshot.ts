/**
 * The end of each run: adds the price changes to the markets, and publishes them as a snapshot. A
 * full run also reads the past prices that changes need.
 */
import { hasManyFallbacks } from '../../core/domain/degradation.ts';
import { paddedConditionId } from '../../core/domain/ids.ts';
import type { Market, PricedMarket } from '../../core/domain/market.ts';
import {
  findMissingMarkets,
  type MissingMarkets,
  type NewList,
} from '../../core/domain/missing-markets.ts';
import { hasSide } from '../../core/domain/quote.ts';
import { countSources, snapshotId } from '../../core/domain/snapshot.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { SnapshotDraft } from '../../io/snapshots/snapshot-writer.ts';
import { type HistoryCounts, HistoryRequests } from './history-requests.ts';
import type { PriceReading } from './price-reader.ts';
import type { Newest, Run } from './run.ts';
import type { Publication } from './run-result.ts';
import { TIMEOUTS } from './timeouts.ts';

/**
 * What a snapshot contains before its markets have changes. `isCut`: markets of smaller volume did
 * not fit into the list.
 */
type SnapshotContent = Pick<
  SnapshotDraft,
  'asOf' | 'catalogueAsOf' | 'cataloguePricesAsOf' | 'isCut'
> & {
  readonly markets: readonly PricedMarket[];
  readonly counts: Pick<SnapshotDraft['counts'], 'skippedByReason' | 'unknownVersions'>;
  /** Padded ids of markets that the catalogue shows as closed. */
  readonly closed: ReadonlySet<string>;
};

/**
 * Publishes the snapshot of a full run. Before, it reads the histories (past prices) that changes
 * lack. Afterwards, it stores them, and today's prices as a sample, for the changes of later runs.
 */
export async function publishWithHistories(
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
    // Those that arrived after the publication, or before an error.
    await startPrices.saveHistories(clock.now(), deadline);
  }
}

/** Adds the changes to the markets, and writes the snapshot. @returns what was published */
export async function publish(
  run: Run,
  newest: Newest,
  content: SnapshotContent,
  reading: PriceReading,
): Promise<Publication> {
  const draft = draftOf(run, newest, content, reading);
  const { id, asOf, markets, counts, missing } = draft;
  const result = await run.writer.publish(draft, run.deadline);
  return {
    ...result,
    id,
    asOf,
    markets: markets.length,
    withOneDayChange: counts.withOneDayChange,
    bySource: counts.bySource,
    ...fieldIf('missing', missing && { ...missing, markets: missing.markets.length }),
    afterMs: run.clock.now() - run.started,
  };
}

/** The snapshot to write: the markets with their changes, and all that its readers need to know. */
function draftOf(
  run: Run,
  newest: Newest,
  content: SnapshotContent,
  reading: PriceReading,
): SnapshotDraft {
  const { asOf, catalogueAsOf, cataloguePricesAsOf, isCut, closed } = content;
  const markets = content.markets.map((market) => run.startPrices.withChanges(market, asOf));
  const bySource = countSources(markets);
  const missing = missingFrom(run, newest, { asOf, markets, closed }, reading);
  // Since when there are samples, and since when many prices are fallbacks. Each time begins once:
  // the newest snapshot has it unless it begins now.
  const memorySince = newest?.info.memorySince ?? run.startPrices.since;
  const fallbackSince = newest?.info.fallbackSince ?? asOf;
  return {
    id: snapshotId(asOf, run.random),
    asOf,
    catalogueAsOf,
    cataloguePricesAsOf,
    isCut,
    markets,
    readUntil: reading.readUntil,
    failedCalls: reading.failed,
    maxMarkets: run.maxMarkets,
    upstream: run.upstream,
    counts: {
      skippedByReason: content.counts.skippedByReason,
      unknownVersions: content.counts.unknownVersions,
      withOneDayChange: countKnown(markets, 'oneDayPriceChange'),
      withSevenDayChange: countKnown(markets, 'sevenDayPriceChange'),
      withThirtyDayChange: countKnown(markets, 'thirtyDayPriceChange'),
      bySource,
    },
    ...fieldIf('memorySince', memorySince),
    ...fieldIf('fallbackSince', hasManyFallbacks(bySource) ? fallbackSince : undefined),
    ...fieldIf('missing', missing),
  };
}

/** The number of markets whose change is known: an unknown one is null or absent. */
function countKnown(
  markets: readonly Market[],
  field: 'oneDayPriceChange' | 'sevenDayPriceChange' | 'thirtyDayPriceChange',
): number {
  return markets.filter((market) => typeof market[field] === 'number').length;
}

/** The markets that the list lacks, compared with the last complete one of this upstream. */
function missingFrom(
  { upstream, maxMarkets }: Run,
  newest: Newest,
  { closed, ...list }: Pick<NewList, 'asOf' | 'markets' | 'closed'>,
  { sides }: PriceReading,
): MissingMarkets | undefined {
  if (newest?.info.upstream !== upstream) return undefined;
  const { info, markets } = newest;
  // CLOB empties the book of a market that has closed, often before the catalogue shows it.
  const withEmptyBook = markets.filter(({ clobTokenId }) => {
    const book = sides.get(clobTokenId);
    return book && !hasSide(book);
  });
  const emptied = withEmptyBook.map(({ id }) => paddedConditionId(id));
  return findMissingMarkets(
    { markets, ...fieldIf('missing', info.missing) },
    { ...list, maxMarkets, closed: new Set([...closed, ...emptied]) },
  );
}
