/**
 * The columns of the Parquet files that the archive writes for a day, and the files of its markets
 * and snapshots.
 */
import { paddedConditionId } from '../../core/domain/ids.ts';
import type { CatalogueMarket, Market } from '../../core/domain/market.ts';
import { readInstant } from '../../core/domain/moment.ts';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import type { Publication } from '../../io/snapshots/published-snapshots.ts';
import type { DayRows, LeftReason, SnapshotCounts, TimeSpan } from './day-rows.ts';
import type { KnownOutcome } from './outcomes.ts';
import { type DayFile, type Metadata, parquetFile, type RowColumns } from './parquet-file.ts';
import { PRICES } from './prices-file.ts';
import type { RulesOfMarket } from './rules.ts';

/** A row of the markets. */
interface MarketOfDay {
  /** As in its first snapshot of the day. */
  readonly market: Market;
  /** The snapshots that list it. */
  readonly listed: TimeSpan;
  /** Why it left the list; undefined if the day's last snapshot lists it. */
  readonly leftReason: LeftReason | undefined;
}

/** The columns about a market that come from Gamma. `past/markets.parquet` has them too. */
export const CATALOGUE_COLUMNS: RowColumns<{ readonly market: CatalogueMarket }> = {
  id: ['text', ({ market }) => market.id],
  condition_id: ['text', ({ market }) => paddedConditionId(market.id)],
  question: ['text', ({ market }) => market.question],
  slug: ['text?', ({ market }) => market.slug],
  token: ['text', ({ market }) => market.clobTokenId],
  outcomes: ['texts', ({ market }) => market.outcomes.map(({ label }) => label)],
  tokens: ['texts', ({ market }) => market.outcomes.map(({ tokenId }) => tokenId)],
  event: ['text?', ({ market }) => market.eventSlug],
  event_title: ['text?', ({ market }) => market.eventTitle],
  group_title: ['text?', ({ market }) => market.groupItemTitle],
  neg_risk: ['flag?', ({ market }) => market.negRisk],
  category: ['text?', ({ market }) => market.category],
  tags: ['texts', ({ market }) => market.tags],
  created_at: ['time?', ({ market }) => readInstant(market.createdAt ?? '')],
  end_date: ['time?', ({ market }) => readInstant(market.endDate)],
  protocol_version: ['text', ({ market }) => market.protocolVersion],
};

const MARKETS: RowColumns<MarketOfDay> = {
  ...CATALOGUE_COLUMNS,
  first_time: ['time', ({ listed }) => listed.first],
  last_time: ['time', ({ listed }) => listed.last],
  left_reason: ['text?', ({ leftReason }) => leftReason],
};

/** A row of the snapshots. `read` is absent if the data is lost. */
interface SnapshotOfDay extends Publication {
  readonly read: { readonly info: SnapshotInfo; readonly counts: SnapshotCounts } | undefined;
}

const SNAPSHOTS: RowColumns<SnapshotOfDay> = {
  time: ['time', ({ asOf }) => asOf],
  id: ['text', ({ id }) => id],
  read_until: ['time?', ({ read }) => read?.info.readUntil],
  published_at: ['time?', ({ publishedAt }) => publishedAt],
  catalogue_time: ['time?', ({ read }) => read?.info.catalogueAsOf],
  markets: ['count?', ({ read }) => read?.counts.markets],
  book: ['count?', ({ read }) => read?.counts.bySource.book],
  trade: ['count?', ({ read }) => read?.counts.bySource.trade],
  carried: ['count?', ({ read }) => read?.counts.bySource.carried],
  catalogue: ['count?', ({ read }) => read?.counts.bySource.catalogue],
  untraded: ['count?', ({ read }) => read?.counts.bySource.untraded],
  failed_calls: ['count?', ({ read }) => read?.info.failedCalls],
};

const OUTCOMES: RowColumns<KnownOutcome> = {
  id: ['text', ({ id }) => id],
  payout: ['number?', ({ payout }) => payout],
  resolved_at: ['time?', ({ resolvedAt }) => resolvedAt],
  known_at: ['time', ({ knownAt }) => knownAt],
  last_time: ['time', ({ lastTime }) => lastTime],
  left_reason: ['text?', ({ leftReason }) => leftReason],
};

const RULES: RowColumns<RulesOfMarket> = {
  id: ['text', ({ id }) => id],
  text: ['text?', ({ description }) => description],
  source: ['text?', ({ resolutionSource }) => resolutionSource],
  read_at: ['time', ({ readAt }) => readAt],
};

/** The columns of all files. docs/archive.md describes each of them. */
export const COLUMNS = {
  prices: PRICES,
  markets: MARKETS,
  rules: RULES,
  snapshots: SNAPSHOTS,
  outcomes: OUTCOMES,
};

/** The markets of a day: one row each. */
export function marketsFile(rows: DayRows, metadata: Metadata): DayFile {
  const markets = rows.sorted().map((marketRows) => ({
    market: marketRows.market,
    listed: rows.spanOf(marketRows),
    leftReason: rows.leftReasonOf(marketRows),
  }));
  return parquetFile(MARKETS, markets, metadata);
}

/** The snapshots of a day, even those whose data is lost. */
export function snapshotsFile(
  rows: DayRows,
  published: readonly Publication[],
  metadata: Metadata,
): DayFile {
  const countsByTime = new Map(rows.snapshots.map((snapshot) => [snapshot.time, snapshot]));
  const snapshots = published.map((publication) => {
    const { asOf, info } = publication;
    const counts = countsByTime.get(asOf);
    // If the data is lost, the manifest (`info`) can be too, or only the markets (`counts`).
    return { ...publication, read: info && counts && { info, counts } };
  });
  return parquetFile(SNAPSHOTS, snapshots, metadata);
}
