import { paddedConditionId } from '../../core/domain/ids.ts';
import type { PricedMarket } from '../../core/domain/market.ts';
import {
  type MissingMarkets,
  missingMarkets,
  type NewList,
} from '../../core/domain/missing-markets.ts';
import { hasSide } from '../../core/domain/price.ts';
import { countSources, hasManyFallbacks, snapshotId } from '../../core/domain/snapshot.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { SnapshotDraft } from '../../io/snapshots/snapshot-writer.ts';
import { type HistoryCounts, HistoryRequests } from './history-requests.ts';
import type { PriceReading } from './price-reader.ts';
import type { Newest, Run } from './run.ts';
import type { Publication } from './run-result.ts';
import { TIMEOUTS } from './timeouts.ts';

/** A snapshot before its markets have changes. */
type SnapshotContent = Pick<
  SnapshotDraft,
  'asOf' | 'catalogueAsOf' | 'cataloguePricesAsOf' | 'isCut'
> & {
  readonly markets: readonly PricedMarket[];
  readonly counts: Pick<SnapshotDraft['counts'], 'skippedByReason' | 'unknownVersions'>;
  /** Padded ids of markets that the catalogue shows as closed. */
  readonly closed: ReadonlySet<string>;
};

/** Publishes a snapshot: adds the changes to its markets, and writes it. */
export async function publish(
  run: Run,
  newest: Newest,
  { counts, closed, ...content }: SnapshotContent,
  reading: PriceReading,
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
  const missing = missingFrom(run, newest, { asOf, markets, closed }, reading);
  const snapshot = {
    id,
    ...content,
    markets,
    readUntil: reading.readUntil,
    failedCalls: reading.failed,
    maxMarkets: run.maxMarkets,
    upstream: run.upstream,
    counts: { skippedByReason, unknownVersions, ...priceCounts },
    ...fieldIf('memorySince', newest?.info.memorySince ?? startPrices.since),
    ...(hasManyFallbacks(priceCounts.bySource)
      ? { fallbackSince: newest?.info.fallbackSince ?? asOf }
      : {}),
    ...fieldIf('missing', missing),
  };
  const result = await writer.publish(snapshot, deadline);
  return {
    ...result,
    id,
    asOf,
    markets: markets.length,
    ...priceCounts,
    ...fieldIf('missing', missing && { ...missing, markets: missing.markets.length }),
    afterMs: clock.now() - started,
  };
}

/** What the list lacks since the last complete one of this upstream. */
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
  const ids = withEmptyBook.map(({ id }) => paddedConditionId(id));
  return missingMarkets(
    { markets, ...fieldIf('missing', info.missing) },
    { ...list, maxMarkets, closed: new Set([...closed, ...ids]) },
  );
}

/**
 * Publishes the markets with their changes. Then stores the sample and the histories that later
 * runs need.
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
    await startPrices.saveHistories(clock.now(), deadline);
  }
}
