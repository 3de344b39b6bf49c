import pLimit from 'p-limit';
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
import type { MissingPart, PastHistory, PastList, PastMarket } from './past-list.ts';

type MarketHistory = PastMarket & PastHistory;

/** A market without its prices. */
interface PastRow extends Omit<MarketHistory, 'points'> {
  /** The times of its first and last price. */
  readonly span: readonly (UnixMs | undefined)[];
}

const MARKETS: RowColumns<PastRow> = {
  ...CATALOGUE_COLUMNS,
  first_time: ['time?', ({ span }) => span[0]],
  last_time: ['time?', ({ span }) => span[1]],
  closed_at: ['time?', ({ closedAt }) => closedAt],
  payout: ['number?', ({ payout }) => payout],
  resolved_at: ['time?', ({ resolvedAt }) => resolvedAt],
  volume: ['number', ({ market }) => market.volume],
};

const PRICES: GroupColumns<readonly MarketHistory[]> = {
  id: ['text', (group) => group.flatMap(({ market, points }) => points.map(() => market.id))],
  time: ['time', (group) => group.flatMap(({ points }) => points.map(({ t }) => toUnixMs(t)))],
  p: ['number', (group) => group.flatMap(({ points }) => points.map(({ p }) => p))],
};

/** As in the prices of a day. */
const MARKETS_PER_ROW_GROUP = 100;
/** As many as the route allows (`lambda/io/upstream/upstreams.ts`). */
const CALLS_AT_ONCE = 8;

/** `past/manifest.json`: the source of the past, and what it lacks. */
export interface PastManifest extends Origin {
  readonly schema: number;
  /** When the run began, RFC 3339. */
  readonly asOf: string;
  /** How many closed markets the user requested. */
  readonly requested: number;
  /** Calls that the files consist of, by route. */
  readonly calls: Readonly<Record<string, number>>;
  readonly missing: readonly MissingPart[];
  readonly files: ReturnType<typeof archivedFiles>;
}

/** Writes the files of a run, the manifest last. The same answers of upstream give the same bytes. */
export async function writePast(
  store: ArchiveStore,
  { asOf, requested, markets, ...list }: PastList,
  origin: Origin,
  readHistory: (one: PastMarket) => Promise<PastHistory>,
): Promise<PastManifest> {
  const time = new Date(asOf).toISOString();
  const metadata = { asOf: time, schema: SCHEMA, ...origin };
  const prices = new ParquetFile(PRICES, metadata);
  const rows: PastRow[] = [];
  const missing = [...list.missing];
  const limit = pLimit(CALLS_AT_ONCE);
  for (const group of inGroups(markets, MARKETS_PER_ROW_GROUP)) {
    const read = await limit.map(group, async (one) => ({ ...one, ...(await readHistory(one)) }));
    prices.addRowGroup(read);
    for (const { points, ...row } of read) {
      const ends = [points[0], points.at(-1)];
      rows.push({ ...row, span: ends.map((point) => point && toUnixMs(point.t)) });
      const { market, failure = 'empty_history' } = row;
      if (points.length === 0) missing.push({ id: market.id, part: 'prices', reason: failure });
    }
  }
  const files = new Map([
    ['past/markets.parquet', parquetFile(MARKETS, rows, metadata)],
    ['past/prices.parquet', prices.finish()],
  ]);
  const histories = rows.filter((row) => row.asOf === asOf).length;
  const manifest: PastManifest = {
    schema: SCHEMA,
    ...origin,
    asOf: time,
    requested,
    calls: { ...list.calls, 'v2-prices-history': histories },
    missing,
    files: archivedFiles(files),
  };
  for (const [path, { bytes }] of files) await store.write(path, bytes);
  await store.write('past/manifest.json', encodeJson(manifest));
  return manifest;
}
