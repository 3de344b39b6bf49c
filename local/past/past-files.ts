/**
 * The files of a past (`npm run archive -- --past N`): years of prices of closed and listed
 * markets, beside the archived days.
 */
import pLimit from 'p-limit';
import type { PricePoint } from '../../lambda/core/domain/price-history.ts';
import { toUnixMs, type UnixMs } from '../../lambda/core/domain/time.ts';
import { inGroups } from '../../lambda/core/domain/values.ts';
import { type ArchiveStore, encodeJson } from '../../lambda/io/archive/archive-store.ts';
import { CATALOGUE_COLUMNS } from '../../lambda/jobs/archive/day-files.ts';
import { archivedFiles, type Origin, SCHEMA } from '../../lambda/jobs/archive/manifest.ts';
import {
  type GroupColumns,
  ParquetFile,
  parquetFile,
  type RowColumns,
} from '../../lambda/jobs/archive/parquet-file.ts';
import type { MissingPart, PastList, PastMarket } from './past-list.ts';

/** The prices of a market, or why there are none. */
export interface PastHistory {
  /** The start of the run that read it. */
  readonly asOf: UnixMs;
  /** The market is resolved, so later runs need not read it again. */
  readonly isFinal: boolean;
  readonly points: readonly PricePoint[];
  readonly failure?: string;
}

type MarketHistory = PastMarket & PastHistory;

/** A market in `markets.parquet`, which has no prices. */
interface MarketRow extends Omit<MarketHistory, 'points'> {
  readonly firstPoint: PricePoint | undefined;
  readonly lastPoint: PricePoint | undefined;
}

/** The columns of `markets.parquet`: type, and value of a row. `time?` is a time or null. */
const MARKETS: RowColumns<MarketRow> = {
  ...CATALOGUE_COLUMNS,
  first_time: ['time?', ({ firstPoint }) => firstPoint && toUnixMs(firstPoint.t)],
  last_time: ['time?', ({ lastPoint }) => lastPoint && toUnixMs(lastPoint.t)],
  closed_at: ['time?', ({ closedAt }) => closedAt],
  payout: ['number?', ({ payout }) => payout],
  resolved_at: ['time?', ({ resolvedAt }) => resolvedAt],
  volume: ['number', ({ market }) => market.volume],
};

/** The columns of `prices.parquet`, with a row for each point of each market in a group. */
const PRICES: GroupColumns<readonly MarketHistory[]> = {
  id: ['text', (group) => group.flatMap(({ market, points }) => points.map(() => market.id))],
  time: ['time', (group) => group.flatMap(({ points }) => points.map(({ t }) => toUnixMs(t)))],
  p: ['number', (group) => group.flatMap(({ points }) => points.map(({ p }) => p))],
};

/** The markets whose prices form one row group, as in the prices of a day. */
const MARKETS_PER_ROW_GROUP = 100;
/** As many calls at once as the route allows (`lambda/io/upstream/upstreams.ts`). */
const CALLS_AT_ONCE = 8;

/** `past/manifest.json`: the source of the past, and what it lacks. */
export interface PastManifest extends Origin {
  readonly schema: number;
  /** When the run began, RFC 3339. */
  readonly asOf: string;
  /** How many closed markets the user requested. */
  readonly requested: number;
  /** The number of calls whose responses the files consist of, by route. */
  readonly calls: Readonly<Record<string, number>>;
  readonly missing: readonly MissingPart[];
  readonly files: ReturnType<typeof archivedFiles>;
}

/**
 * Reads the histories of a run, and writes its files, the manifest last. The same responses of
 * upstream give the same bytes.
 */
export async function writePast(
  store: ArchiveStore,
  { asOf, requested, markets, ...list }: PastList,
  origin: Origin,
  readHistory: (one: PastMarket) => Promise<PastHistory>,
): Promise<PastManifest> {
  const time = new Date(asOf).toISOString();
  const metadata = { asOf: time, schema: SCHEMA, ...origin };
  const prices = new ParquetFile(PRICES, metadata);
  const rows: MarketRow[] = [];
  const missing = [...list.missing];
  const limit = pLimit(CALLS_AT_ONCE);
  for (const group of inGroups(markets, MARKETS_PER_ROW_GROUP)) {
    const read = await limit.map(group, async (one) => ({ ...one, ...(await readHistory(one)) }));
    prices.addRowGroup(read);
    for (const { points, ...row } of read) {
      rows.push({ ...row, firstPoint: points[0], lastPoint: points.at(-1) });
      const { market, failure = 'empty_history' } = row;
      if (points.length === 0) missing.push({ id: market.id, part: 'prices', reason: failure });
    }
  }
  const files = new Map([
    ['past/markets.parquet', parquetFile(MARKETS, rows, metadata)],
    ['past/prices.parquet', prices.finish()],
  ]);
  // Earlier runs read the other histories.
  const readInThisRun = rows.filter((row) => row.asOf === asOf);
  const manifest: PastManifest = {
    schema: SCHEMA,
    ...origin,
    asOf: time,
    requested,
    calls: { ...list.calls, 'v2-prices-history': readInThisRun.length },
    missing,
    files: archivedFiles(files),
  };
  for (const [path, { bytes }] of files) await store.write(path, bytes);
  await store.write('past/manifest.json', encodeJson(manifest));
  return manifest;
}
