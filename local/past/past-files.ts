import { toUnixMs, type UnixMs } from '../../lambda/core/domain/time.ts';
import { inGroups } from '../../lambda/core/domain/values.ts';
import { type ArchiveStore, encodeJson } from '../../lambda/io/archive/archive-store.ts';
import { CATALOGUE_COLUMNS } from '../../lambda/jobs/archive/day-files.ts';
import { archivedFiles, type Origin, SCHEMA } from '../../lambda/jobs/archive/manifest.ts';
import {
  type DayFile,
  type GroupColumns,
  ParquetFile,
  parquetFile,
  type RowColumns,
} from '../../lambda/jobs/archive/parquet-file.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { MissingPart, PastList, PastMarket } from './past-list.ts';

interface PastRow extends PastMarket {
  readonly history: JournalEntry | undefined;
}

const timeAt = ({ history }: PastRow, place: number): UnixMs | undefined => {
  const time = history?.times.at(place);
  return time === undefined ? undefined : toUnixMs(time);
};

const MARKETS: RowColumns<PastRow> = {
  ...CATALOGUE_COLUMNS,
  first_time: ['time?', (row) => timeAt(row, 0)],
  last_time: ['time?', (row) => timeAt(row, -1)],
  closed_at: ['time?', ({ closedAt }) => closedAt],
  payout: ['number?', ({ payout }) => payout],
  resolved_at: ['time?', ({ resolvedAt }) => resolvedAt],
  volume: ['number', ({ market }) => market.volume],
};

const PRICES: GroupColumns<readonly PastRow[]> = {
  id: [
    'text',
    (rows) => rows.flatMap(({ market, history }) => history?.times.map(() => market.id) ?? []),
  ],
  time: ['time', (rows) => rows.flatMap(({ history }) => history?.times.map(toUnixMs) ?? [])],
  p: ['number', (rows) => rows.flatMap(({ history }) => history?.prices ?? [])],
};

/** As in the prices of a day. */
const MARKETS_PER_ROW_GROUP = 100;
const FOLDER = 'past/';

/** `past/manifest.json`: the source of the past, and what it lacks. */
export interface PastManifest extends Origin {
  readonly schema: number;
  /** When the run began, RFC 3339. */
  readonly asOf: string;
  readonly closed: Readonly<Record<'requested' | 'found' | 'paid', number>>;
  readonly listed: number;
  /** Calls that the files consist of, by route. */
  readonly calls: Readonly<Record<string, number>>;
  readonly missing: readonly MissingPart[];
  readonly files: ReturnType<typeof archivedFiles>;
}

/** Writes the files of a finished run, the manifest last. The same run writes the same bytes. */
export async function writePast(
  store: ArchiveStore,
  { asOf, requested, markets, missing, calls }: PastList,
  journal: Journal,
  origin: Origin,
): Promise<PastManifest> {
  const rows = markets.map((one) => ({ ...one, history: journal.get(one.market.clobTokenId) }));
  const time = new Date(asOf).toISOString();
  const metadata = { asOf: time, schema: SCHEMA, ...origin };
  const prices = new ParquetFile(PRICES, metadata);
  for (const group of inGroups(rows, MARKETS_PER_ROW_GROUP)) prices.addRowGroup(group);
  const files = new Map<string, DayFile>([
    [`${FOLDER}markets.parquet`, parquetFile(MARKETS, rows, metadata)],
    [`${FOLDER}prices.parquet`, prices.finish()],
  ]);
  const closed = rows.filter(({ isListed }) => !isListed);
  const histories = rows.filter(({ history }) => history?.asOf === asOf).length;
  const manifest: PastManifest = {
    schema: SCHEMA,
    ...origin,
    asOf: time,
    closed: {
      requested,
      found: closed.length,
      paid: closed.filter(({ payout }) => payout !== undefined).length,
    },
    listed: rows.length - closed.length,
    calls: { ...calls, 'v2-prices-history': histories },
    missing: [...missing, ...rows.flatMap(withoutPrices)],
    files: archivedFiles(files),
  };
  for (const [path, { bytes }] of files) await store.write(path, bytes);
  await store.write(`${FOLDER}manifest.json`, encodeJson(manifest));
  return manifest;
}

function withoutPrices({ market, history }: PastRow): MissingPart[] {
  if (history && history.times.length > 0) return [];
  return [{ id: market.id, part: 'prices', reason: history?.failure ?? 'empty_history' }];
}
