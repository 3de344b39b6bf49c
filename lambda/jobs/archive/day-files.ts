import { CHANGE_FIELDS, PRICE_SOURCES } from '../../core/contract/market-fields.ts';
import { paddedConditionId } from '../../core/domain/ids.ts';
import type { CatalogueMarket, Market } from '../../core/domain/market.ts';
import { readInstant } from '../../core/domain/moment.ts';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { Publication } from '../../io/snapshots/published-snapshots.ts';
import type { DayRows, LeftReason, MarketRows, NumberName, SnapshotRows } from './day-rows.ts';
import type { KnownOutcome } from './outcomes.ts';
import {
  type DayFile,
  type GroupColumns,
  type Metadata,
  ParquetFile,
  parquetFile,
  type RowColumns,
} from './parquet-file.ts';
import type { RulesOfMarket } from './rules.ts';

/**
 * The markets of a row group of the prices. A reader of one market reads the whole group, about
 * 400 KB of a day. Smaller groups would need a larger footer.
 */
const MARKETS_PER_ROW_GROUP = 100;

/** What the columns of the prices read for one row group. */
interface PriceGroup {
  readonly markets: readonly MarketRows[];
  /** The times of the day's snapshots. Rows share one object per time. */
  readonly times: readonly bigint[];
}

/**
 * The text of each combination of doubtful changes; null for none. The index has a bit for each of
 * CHANGE_FIELDS, as in `MarketRows.doubts`. Millions of rows share these texts.
 */
const DOUBT_TEXTS: readonly (string | null)[] = Array.from(
  { length: 2 ** CHANGE_FIELDS.length },
  (_, bits) => CHANGE_FIELDS.filter((_name, n) => bits & (1 << n)).join(',') || null,
);

/** The columns of the prices. In each, the rows of a market follow those of the market before. */
const PRICES: GroupColumns<PriceGroup> = {
  time: [
    'time',
    ({ markets, times }) =>
      markets.flatMap(({ snapshots, length }) =>
        Array.from(snapshots.subarray(0, length), (n) => times[n]),
      ),
  ],
  id: [
    'text',
    ({ markets }) =>
      markets.flatMap(({ market, length }) => new Array<string>(length).fill(market.id)),
  ],
  bid: ['number?', ({ markets }) => numbersOf(markets, 'bid')],
  ask: ['number?', ({ markets }) => numbersOf(markets, 'ask')],
  midpoint: ['number?', ({ markets }) => numbersOf(markets, 'midpoint')],
  probability: ['number', ({ markets }) => numbersOf(markets, 'probability')],
  source: [
    'text',
    ({ markets }) =>
      markets.flatMap(({ sources, length }) =>
        Array.from(sources.subarray(0, length), (n) => PRICE_SOURCES[n]),
      ),
  ],
  priced_at: [
    'time?',
    ({ markets, times }) =>
      markets.flatMap(({ snapshots, priceAges, length }) =>
        Array.from(priceAges.subarray(0, length), (ageMs, row) => {
          const snapshotTime = times[snapshots[row] ?? 0] ?? 0n;
          // A price without an age was read for its snapshot.
          return ageMs === 0 ? null : snapshotTime - BigInt(ageMs);
        }),
      ),
  ],
  volume: ['number', ({ markets }) => numbersOf(markets, 'volume')],
  liquidity: ['number', ({ markets }) => numbersOf(markets, 'liquidity')],
  doubtful_changes: [
    'text?',
    ({ markets }) =>
      markets.flatMap(({ doubts, length }) =>
        Array.from(doubts.subarray(0, length), (bits) => DOUBT_TEXTS[bits]),
      ),
  ],
  bid_size: ['number?', ({ markets }) => numbersOf(markets, 'bidSize')],
  ask_size: ['number?', ({ markets }) => numbersOf(markets, 'askSize')],
};

/** A row of the markets. The market is as in its first snapshot of the day. */
interface MarketOfDay {
  readonly market: Market;
  readonly span: readonly [first: UnixMs, last: UnixMs];
  readonly leftReason: LeftReason | undefined;
}

/** The columns about a market that come from Gamma. The backfill has the same ones. */
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
  first_time: ['time', ({ span }) => span[0]],
  last_time: ['time', ({ span }) => span[1]],
  left_reason: ['text?', ({ leftReason }) => leftReason],
};

/** A row of the snapshots. `read` is absent if the data is lost. */
interface SnapshotOfDay extends Publication {
  readonly read: { readonly info: SnapshotInfo; readonly counts: SnapshotRows } | undefined;
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

/** The prices of a day: a row group for every 100 markets. */
export async function pricesFile(rows: DayRows, metadata: Metadata): Promise<DayFile> {
  const file = new ParquetFile(PRICES, metadata);
  const times = rows.snapshots.map(({ time }) => BigInt(time));
  for (const markets of inGroups(rows.sorted(), MARKETS_PER_ROW_GROUP)) {
    // Gives the event loop a turn, so that the job can renew its claim meanwhile.
    await new Promise(setImmediate);
    file.addRowGroup({ markets, times });
  }
  return file.finish();
}

/** A column of a row group, with null for a number that a market does not have. */
function numbersOf(
  markets: readonly MarketRows[],
  name: NumberName,
): Float64Array | (number | null)[] {
  const column = new Float64Array(markets.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const { numbers, length } of markets) {
    column.set(numbers[name].subarray(0, length), end);
    end += length;
  }
  return column.some(Number.isNaN)
    ? Array.from(column, (value) => (Number.isNaN(value) ? null : value))
    : column;
}

/** The markets of a day: one row each. */
export function marketsFile(rows: DayRows, metadata: Metadata): DayFile {
  const marketOfDay = (marketRows: MarketRows) => ({
    market: marketRows.market,
    span: rows.spanOf(marketRows),
    leftReason: rows.leftReasonOf(marketRows),
  });
  return parquetFile(MARKETS, rows.sorted().map(marketOfDay), metadata);
}

/** The snapshots of a day, even those whose data is lost. */
export function snapshotsFile(
  rows: DayRows,
  published: readonly Publication[],
  metadata: Metadata,
): DayFile {
  const countsByTime = new Map(rows.snapshots.map((snapshot) => [snapshot.time, snapshot]));
  const snapshotOfDay = (snapshot: Publication) => {
    const counts = countsByTime.get(snapshot.asOf);
    const { info } = snapshot;
    return { ...snapshot, read: info && counts && { info, counts } };
  };
  return parquetFile(SNAPSHOTS, published.map(snapshotOfDay), metadata);
}
