import { PRICE_SOURCES } from '../../core/contract/market-fields.ts';
import { paddedConditionId } from '../../core/domain/condition-id.ts';
import { readInstant } from '../../core/domain/moment.ts';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { DayRows, MarketRows, NumberName, SnapshotRows } from './day-rows.ts';
import type { KnownOutcome } from './outcomes.ts';
import { type Columns, ParquetFile } from './parquet-file.ts';
import type { PublishedSnapshot } from './published-snapshots.ts';

export interface DayFile {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** A reader of one market reads one row group: 100 markets of a day have 400 KB. Smaller groups need a larger footer. */
const MARKETS_PER_ROW_GROUP = 100;

const PRICES = {
  time: 'time',
  id: 'text',
  bid: 'number?',
  ask: 'number?',
  midpoint: 'number?',
  probability: 'number',
  source: 'text',
  priced_at: 'time?',
  volume: 'number',
  liquidity: 'number',
} as const satisfies Columns;

const MARKETS = {
  id: 'text',
  condition_id: 'text',
  question: 'text',
  slug: 'text?',
  token: 'text',
  outcomes: 'texts',
  tokens: 'texts',
  event: 'text?',
  event_title: 'text?',
  group_title: 'text?',
  neg_risk: 'flag?',
  category: 'text?',
  tags: 'texts',
  created_at: 'time?',
  end_date: 'time?',
  protocol_version: 'text',
  first_time: 'time',
  last_time: 'time',
  left_reason: 'text?',
} as const satisfies Columns;

const SNAPSHOTS = {
  time: 'time',
  id: 'text',
  read_until: 'time?',
  published_at: 'time?',
  catalogue_time: 'time?',
  markets: 'count?',
  book: 'count?',
  trade: 'count?',
  carried: 'count?',
  catalogue: 'count?',
  untraded: 'count?',
  failed_calls: 'count?',
} as const satisfies Columns;

const OUTCOMES = {
  id: 'text',
  payout: 'number?',
  resolved_at: 'time?',
  known_at: 'time',
  last_time: 'time',
  left_reason: 'text?',
} as const satisfies Columns;

/** One row for each market and snapshot, sorted by id and time. */
export async function pricesFile(rows: DayRows): Promise<DayFile> {
  const file = new ParquetFile(PRICES);
  // One object for each time, not for each row.
  const times = rows.snapshots.map(({ time }) => BigInt(time));
  for (const markets of inGroups(rows.sorted(), MARKETS_PER_ROW_GROUP)) {
    // The claim of the job is renewed meanwhile.
    await new Promise(setImmediate);
    file.addRowGroup({
      time: markets.flatMap(({ snapshots, length }) => Array.from(snapshots.subarray(0, length), (n) => times[n])),
      id: markets.flatMap(({ market, length }) => new Array<string>(length).fill(market.id)),
      bid: numbersOf(markets, 'bid'),
      ask: numbersOf(markets, 'ask'),
      midpoint: numbersOf(markets, 'midpoint'),
      probability: numbersOf(markets, 'probability'),
      source: markets.flatMap(({ sources, length }) =>
        Array.from(sources.subarray(0, length), (n) => PRICE_SOURCES[n]),
      ),
      priced_at: markets.flatMap(({ snapshots, priceAges, length }) =>
        Array.from(priceAges.subarray(0, length), (age, n) =>
          age ? (times[snapshots[n] ?? 0] ?? 0n) - BigInt(age) : null,
        ),
      ),
      volume: numbersOf(markets, 'volume'),
      liquidity: numbersOf(markets, 'liquidity'),
    });
  }
  return { rows: file.rows, bytes: file.finish() };
}

function numbersOf(markets: readonly MarketRows[], name: NumberName): Float64Array | (number | null)[] {
  const column = new Float64Array(markets.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const { numbers, length } of markets) {
    column.set(numbers[name].subarray(0, length), end);
    end += length;
  }
  return column.some(Number.isNaN) ? Array.from(column, (value) => (Number.isNaN(value) ? null : value)) : column;
}

/** A row per market, from its first snapshot of the day. */
export function marketsFile(rows: DayRows): DayFile {
  const all = rows.sorted();
  const column = <T>(read: (market: MarketRows['market']) => T): T[] => all.map(({ market }) => read(market));
  const file = new ParquetFile(MARKETS);
  file.addRowGroup({
    id: column(({ id }) => id),
    condition_id: column(({ id }) => paddedConditionId(id)),
    question: column(({ question }) => question),
    slug: column(({ slug }) => slug),
    token: column(({ clobTokenId }) => clobTokenId),
    outcomes: column(({ outcomes }) => outcomes.map(({ label }) => label)),
    tokens: column(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId)),
    event: column(({ eventSlug }) => eventSlug),
    event_title: column(({ eventTitle }) => eventTitle),
    group_title: column(({ groupItemTitle }) => groupItemTitle),
    neg_risk: column(({ negRisk }) => negRisk),
    category: column(({ category }) => category),
    tags: column(({ tags }) => [...tags]),
    created_at: column(({ createdAt = '' }) => readInstant(createdAt)),
    end_date: column(({ endDate }) => readInstant(endDate)),
    protocol_version: column(({ protocolVersion }) => protocolVersion),
    first_time: all.map((market) => rows.spanOf(market)[0]),
    last_time: all.map((market) => rows.spanOf(market)[1]),
    left_reason: all.map((market) => rows.leftReasonOf(market)),
  });
  return { rows: file.rows, bytes: file.finish() };
}

/** One row for each published snapshot. Of one whose data is lost, only the time and the id are known. */
export function snapshotsFile(rows: DayRows, published: readonly PublishedSnapshot[]): DayFile {
  const file = new ParquetFile(SNAPSHOTS);
  const counts = new Map(rows.snapshots.map((snapshot) => [snapshot.time, snapshot]));
  const column = <T>(read: (info: SnapshotInfo, counts: SnapshotRows) => T): (T | undefined)[] =>
    published.map(({ asOf, info }) => {
      const found = counts.get(asOf);
      return info && found && read(info, found);
    });
  file.addRowGroup({
    time: published.map(({ asOf }) => asOf),
    id: published.map(({ id }) => id),
    read_until: column(({ readUntil }) => readUntil),
    published_at: published.map(({ publishedAt }) => publishedAt),
    catalogue_time: column(({ catalogueAsOf }) => catalogueAsOf),
    markets: column((_, { markets }) => markets),
    book: column((_, { bySource }) => bySource.book),
    trade: column((_, { bySource }) => bySource.trade),
    carried: column((_, { bySource }) => bySource.carried),
    catalogue: column((_, { bySource }) => bySource.catalogue),
    untraded: column((_, { bySource }) => bySource.untraded),
    failed_calls: column(({ failedCalls }) => failedCalls),
  });
  return { rows: file.rows, bytes: file.finish() };
}

/** One row for each market whose resolution became known, or whose resolution the archive has given up on. */
export function outcomesFile(outcomes: readonly KnownOutcome[]): DayFile {
  const file = new ParquetFile(OUTCOMES);
  file.addRowGroup({
    id: outcomes.map(({ id }) => id),
    payout: outcomes.map(({ payout }) => payout),
    resolved_at: outcomes.map(({ resolvedAt }) => resolvedAt),
    known_at: outcomes.map(({ knownAt }) => knownAt),
    last_time: outcomes.map(({ lastTime }) => lastTime),
    left_reason: outcomes.map(({ leftReason }) => leftReason),
  });
  return { rows: file.rows, bytes: file.finish() };
}
