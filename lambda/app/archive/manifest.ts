import { createHash } from 'node:crypto';
import { VERSION } from '../../core/contract/constants.ts';
import type { ArchiveStore } from './archive-store.ts';
import { DAYS_TO_REPAIR, type Day, dayOf, type Gap, readDay } from './day.ts';
import type { DayFile } from './day-files.ts';
import type { FollowedMarkets } from './outcomes.ts';

/** Increases with each change that breaks readers. */
const SCHEMA = 1;

/** `degraded`: at least one gap. */
type Completeness = 'complete' | 'degraded';

interface ArchivedFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface DayManifest extends FollowedMarkets {
  readonly date: string;
  readonly condition: Completeness;
  readonly schema: number;
  /** The version of the service that wrote the files. */
  readonly service: string;
  readonly snapshots: number;
  /** RFC 3339. */
  readonly lastSnapshot: string;
  readonly gaps: readonly Gap[];
  readonly files: readonly ArchivedFile[];
}

/** `missing`: its snapshots expired before a job succeeded. */
type IndexedDay =
  | { readonly date: string; readonly condition: Completeness; readonly manifest: string }
  | { readonly date: string; readonly condition: 'missing' };

const INDEX = 'index.json';
const MANIFEST_DATE = /^manifest\/date=(.+)\.json$/;

export const manifestPath = (date: string): string => `manifest/date=${date}.json`;

type DayContent = FollowedMarkets & {
  readonly times: readonly number[];
  readonly gaps: readonly Gap[];
  readonly files: ReadonlyMap<string, DayFile>;
};

export function manifestOf({ date }: Day, { times, gaps, files, listed, pending }: DayContent): DayManifest {
  return {
    date,
    condition: gaps.length === 0 ? 'complete' : 'degraded',
    schema: SCHEMA,
    service: VERSION,
    snapshots: times.length,
    lastSnapshot: new Date(times.at(-1) ?? Number.NaN).toISOString(),
    gaps,
    files: [...files].map(([path, { rows, bytes }]) => ({
      path,
      rows,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
    pending,
    listed,
  };
}

/** The newest archived day's, before a day. */
export async function manifestBefore(store: ArchiveStore, { date }: Day): Promise<DayManifest | undefined> {
  const newest = (await archivedDates(store)).findLast((archived) => archived < date);
  return newest === undefined ? undefined : await readJson(store, manifestPath(newest));
}

/** `index.json`: the archived days, and later days whose snapshots have expired. */
export async function writeIndex(store: ArchiveStore, today: Day): Promise<void> {
  const before = await readJson<{ readonly days: readonly IndexedDay[] }>(store, INDEX);
  const known = new Map(before?.days.map((day) => [day.date, day]));
  const archived = new Set(await archivedDates(store));
  const days: IndexedDay[] = [];
  for (const date of datesFrom([...archived][0], today)) {
    const indexed = known.get(date);
    if (!archived.has(date)) {
      if (date < dayOf(today.start, -DAYS_TO_REPAIR).date) days.push({ date, condition: 'missing' });
    } else if (indexed && indexed.condition !== 'missing') days.push(indexed);
    else days.push(await indexedDay(store, date));
  }
  await store.write(INDEX, encodeJson({ schema: SCHEMA, days }));
}

async function indexedDay(store: ArchiveStore, date: string): Promise<IndexedDay> {
  const manifest = manifestPath(date);
  const { condition = 'degraded' } = (await readJson<DayManifest>(store, manifest)) ?? {};
  return { date, condition, manifest };
}

/** Ascending. */
async function archivedDates(store: ArchiveStore): Promise<string[]> {
  return (await store.list('manifest/')).flatMap((path) => MANIFEST_DATE.exec(path)?.[1] ?? []);
}

/** From the first one up to yesterday. */
function datesFrom(first: string | undefined, today: Day): string[] {
  const dates: string[] = [];
  let day = first === undefined ? undefined : readDay(first);
  for (; day && day.start < today.start; day = dayOf(day.end)) dates.push(day.date);
  return dates;
}

export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

async function readJson<T>(store: ArchiveStore, path: string): Promise<T | undefined> {
  const bytes = await store.read(path);
  return bytes && JSON.parse(Buffer.from(bytes).toString());
}
