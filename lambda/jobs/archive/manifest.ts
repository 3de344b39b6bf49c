/**
 * The manifest of an archived day, a JSON file that says what the day consists of, and `index.json`,
 * which lists the days.
 */
import { hash } from 'node:crypto';
import { hasManyFallbacks } from '../../core/domain/degradation.ts';
import type { RunCounts } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { type ArchiveStore, encodeJson, readJson } from '../../io/archive/archive-store.ts';
import {
  type Day,
  dayOf,
  daysToArchive,
  expectedSnapshots,
  type Gap,
  gapsOf,
  readDay,
  type SnapshotTimes,
} from './day.ts';
import type { DayRows } from './day-rows.ts';
import type { DayFile, Metadata } from './parquet-file.ts';

/** The version of the archive's format. docs/archive.md, "Schema", says what it promises. */
export const SCHEMA = 3;

/** `degraded`: the day has a gap, too few snapshots, or too many prices that are not from CLOB. */
type Condition = 'complete' | 'degraded';

/** A file of a day. A reader can check it by its SHA-256. */
interface ArchivedFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The source of an archive. Each manifest and each Parquet file has it. */
export interface Origin {
  readonly version: string;
  /** From `git describe`. */
  readonly commit: string;
  /** `live`, `simulated`, or the host of another upstream. */
  readonly upstream: string;
  readonly stage: string;
}

interface DayOrigin extends Origin {
  /** The list's largest limit of the day. */
  readonly maxMarkets: number;
}

/** What a day of the archive consists of. */
export interface DayManifest extends DayOrigin {
  readonly date: string;
  readonly condition: Condition;
  readonly schema: number;
  /** When the job began, RFC 3339. */
  readonly writtenAt: string;
  readonly snapshots: Readonly<Record<'expected' | 'found', number>>;
  /** Markets in one snapshot of the day. */
  readonly markets: Readonly<Record<'least' | 'median', number>>;
  readonly rowsBySource: RunCounts['bySource'];
  /** Markets of the day, and those with rules from Gamma. */
  readonly rules: Readonly<Record<'expected' | 'found', number>>;
  readonly gaps: readonly Gap[];
  readonly files: readonly ArchivedFile[];
}

/** A day in `index.json`. `missing`: its snapshots expired before a job succeeded. */
type IndexedDay =
  | {
      readonly date: string;
      readonly condition: Condition;
      readonly manifest: string;
      readonly sha256: string;
    }
  | { readonly date: string; readonly condition: 'missing' };

const INDEX = 'index.json';

/** A complete day has at least this share of the snapshots that it should have. */
const MIN_SHARE_OF_SNAPSHOTS = 0.99;

/** What a job has written for a day. `rules` counts the markets with rules. */
interface DayContent {
  readonly writtenAt: UnixMs;
  readonly origin: DayOrigin;
  readonly rows: DayRows;
  readonly rules: number;
  readonly times: SnapshotTimes;
  readonly files: ReadonlyMap<string, DayFile>;
}

/** Makes the manifest of a day, and decides whether the day is `complete` or `degraded`. */
export function manifestOf(
  day: Day,
  { writtenAt, origin, rows, rules, times, files }: DayContent,
): DayManifest {
  const gaps = gapsOf(day, times);
  const expected = expectedSnapshots(day, times);
  const found = rows.snapshots.length;
  const isComplete =
    gaps.length === 0 &&
    found >= MIN_SHARE_OF_SNAPSHOTS * expected &&
    !hasManyFallbacks(rows.bySource);
  const markets = rows.snapshots.map((snapshot) => snapshot.markets).sort((a, b) => a - b);
  return {
    date: day.date,
    condition: isComplete ? 'complete' : 'degraded',
    schema: SCHEMA,
    ...origin,
    writtenAt: new Date(writtenAt).toISOString(),
    snapshots: { expected, found },
    markets: { least: markets[0] ?? 0, median: markets[Math.floor(markets.length / 2)] ?? 0 },
    rowsBySource: rows.bySource,
    rules: { expected: rows.markets.size, found: rules },
    gaps,
    files: archivedFiles(files),
  };
}

/** The files of a manifest, by path. */
export function archivedFiles(files: ReadonlyMap<string, DayFile>): ArchivedFile[] {
  return [...files].map(([path, { rows, bytes }]) => ({
    path,
    rows,
    bytes: bytes.length,
    sha256: hash('sha256', bytes, 'hex'),
  }));
}

/** The metadata of each file, so that a single file is enough to know its source. */
export function metadataOf({ date }: Day, origin: DayOrigin): Metadata {
  return { date, schema: SCHEMA, ...origin };
}

/** The manifest of a day. @returns undefined for a day that is not archived */
export function readManifest(store: ArchiveStore, date: string): Promise<DayManifest | undefined> {
  return readJson(store, manifestPath(date));
}

/** Whether the archive has an earlier day. */
export async function hasDayBefore(store: ArchiveStore, { date }: Day): Promise<boolean> {
  return (await archivedDates(store)).some((archived) => archived < date);
}

/** Writes `index.json`: the days since the first archived one that are archived or lost. */
export async function writeIndex(store: ArchiveStore, today: Day): Promise<void> {
  const index = await readJson<{ readonly days: readonly IndexedDay[] }>(store, INDEX);
  const entries = new Map(index?.days.map((day) => [day.date, day]));
  const archived = new Set(await archivedDates(store));
  const oldestToArchive = daysToArchive(today.start)[0]?.date ?? today.date;
  const days: IndexedDay[] = [];
  for (const date of datesFrom([...archived][0], today)) {
    const before = entries.get(date);
    // An archived day never changes, so its entry stays.
    const entry = before?.condition === 'missing' ? undefined : before;
    if (archived.has(date)) days.push(entry ?? (await indexedDay(store, date)));
    // Later days without a manifest can still be archived.
    else if (date < oldestToArchive) days.push({ date, condition: 'missing' });
  }
  await store.write(INDEX, encodeJson({ schema: SCHEMA, days }));
}

/** The entry of an archived day in `index.json`. */
async function indexedDay(store: ArchiveStore, date: string): Promise<IndexedDay> {
  const manifest = manifestPath(date);
  const bytes = (await store.read(manifest)) ?? new Uint8Array();
  const { condition }: DayManifest = JSON.parse(Buffer.from(bytes).toString());
  return { date, condition, manifest, sha256: hash('sha256', bytes, 'hex') };
}

/** The path of a day's manifest. @param date `YYYY-MM-DD` */
export function manifestPath(date: string): string {
  return `manifest/date=${date}.json`;
}

const MANIFEST_DATE = /^manifest\/date=(.+)\.json$/;

/** The dates of the archived days, ascending. */
async function archivedDates(store: ArchiveStore): Promise<string[]> {
  return (await store.list('manifest/')).flatMap((path) => MANIFEST_DATE.exec(path)?.[1] ?? []);
}

/** The dates from the first one up to yesterday; none without a first one. */
function datesFrom(first: string | undefined, today: Day): string[] {
  const dates: string[] = [];
  let day = first === undefined ? undefined : readDay(first);
  for (; day && day.start < today.start; day = dayOf(day.end)) dates.push(day.date);
  return dates;
}
