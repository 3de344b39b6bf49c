/**
 * The items of the snapshot table, except those with samples and backfill (`stored-prices.ts`):
 *
 * LATEST      the pointer: the manifest of the newest snapshot
 * FAILURE     why the last run failed
 * PUBLISHED   one item for each published snapshot, for the archive
 * SNAPSHOT#…  a snapshot's compressed text, cut into items
 * BASE#…      the text against which snapshots are compressed
 * MISSING#…   the markets that a snapshot's list lacks
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { countSources, type SnapshotInfo } from '../../core/domain/snapshot.ts';
import type { UnixMs, UnixSeconds } from '../../core/domain/time.ts';
import { parseJson } from '../../core/domain/values.ts';
import { SNAPSHOT_KEYS } from '../platform/storage-layout.ts';

/** An item of the table, in DynamoDB's form. */
export type Item = Record<string, AttributeValue>;

/**
 * The largest data of one item. DynamoDB serves 3,000 read units per second and key: with items of
 * this size, 180 new containers can load a snapshot within a second.
 */
export const MAX_CHUNK_BYTES = 128 * 1_024;

/** A part of a stored snapshot is missing, or the checksum does not match. */
export class BrokenSnapshotError extends Error {
  override readonly name = 'BrokenSnapshotError';
}

/** A compressed text in the table. */
interface StoredText {
  /** Number of its items. */
  readonly chunks: number;
  /** SHA-256, hex. */
  readonly checksum: string;
  /** DynamoDB deletes expired items some time later. */
  readonly expiresAt: UnixSeconds;
}

/** The full text against which snapshots are compressed. */
export interface BaseReference extends StoredText {
  readonly id: string;
  readonly writtenAt: UnixMs;
  /** Compressed size. */
  readonly bytes: number;
}

/** A stored snapshot without its markets: part of the pointer and of the snapshot's first item. */
export interface SnapshotManifest extends SnapshotInfo, StoredText {
  readonly base: BaseReference;
  /** Absent for the first snapshot. */
  readonly previousId?: string;
  /** The text that names what the list lacks. It expires with the snapshot. */
  readonly missingText?: Omit<StoredText, 'expiresAt'>;
}

/** Why runs fail. `/api/status` shows it while there is no snapshot. */
export interface RefreshFailure {
  /** When the first failed run began. */
  readonly since: UnixMs;
  /** When the last failed run ended. */
  readonly at: UnixMs;
  /** One sentence. */
  readonly reason: string;
}

export const POINTER_KEY: Item = key('LATEST', 0);
export const FAILURE_KEY: Item = key('FAILURE', 0);

/** The items of this partition list the published snapshots by `asOf`, for the archive. */
export const PUBLISHED_PARTITION = 'PUBLISHED';

/** The key of a snapshot's item. The first one (0) also has the manifest. */
export function snapshotKey(id: string, chunk: number): Item {
  return key(`SNAPSHOT#${id}`, chunk);
}

/** The key of a base's item. Each has its own partition, because all new containers read it. */
export function baseKey(id: string, chunk: number): Item {
  return key(`BASE#${id}#${chunk}`, 0);
}

/** The key of an item with what a list lacks. */
export function missingKey(snapshotId: string, chunk: number): Item {
  return key(`MISSING#${snapshotId}`, chunk);
}

function key(partition: string, n: number): Item {
  return { [SNAPSHOT_KEYS.partition]: { S: partition }, [SNAPSHOT_KEYS.sort]: { N: String(n) } };
}

/**
 * The pointer's item. Conditional writes compare its times, so they are attributes besides the
 * manifest.
 */
export function pointerItem(manifest: SnapshotManifest, shrunkRuns: number): Item {
  return {
    ...POINTER_KEY,
    asOf: { N: String(manifest.asOf) },
    catalogueAsOf: { N: String(manifest.catalogueAsOf) },
    snapshotId: { S: manifest.id },
    shrunkRuns: { N: String(shrunkRuns) },
    ...manifestAttribute(manifest),
  };
}

/** An item with a part of a stored text. */
export function chunkItem(itemKey: Item, data: Uint8Array, expiresAt: UnixSeconds): Item {
  return { ...itemKey, data: { B: data }, [SNAPSHOT_KEYS.ttl]: { N: String(expiresAt) } };
}

/** The item that lists a published snapshot for the archive. */
export function publishedItem(
  { id, asOf }: Pick<SnapshotInfo, 'id' | 'asOf'>,
  publishedAt: UnixMs,
  expiresAt: UnixSeconds,
): Item {
  return {
    ...key(PUBLISHED_PARTITION, asOf),
    snapshotId: { S: id },
    publishedAt: { N: String(publishedAt) },
    [SNAPSHOT_KEYS.ttl]: { N: String(expiresAt) },
  };
}

/** The attribute of an item that has a manifest. */
export function manifestAttribute(manifest: SnapshotManifest): Item {
  return { manifest: { S: JSON.stringify(manifest) } };
}

/** The manifest of an item. @returns undefined for one of another version */
export function readManifest(item: Item): SnapshotManifest | undefined {
  const value = parseJson(item.manifest?.S ?? '');
  return hasForm(value, MANIFEST_FORM) && hasForm({ ...OPTIONAL_FORM, ...value }, OPTIONAL_FORM)
    ? value
    : undefined;
}

/** The manifest of an item. @throws BrokenSnapshotError for one of another version */
export function requireManifest(item: Item): SnapshotManifest {
  const manifest = readManifest(item);
  if (!manifest) throw new BrokenSnapshotError('The stored manifest cannot be read');
  return manifest;
}

/** The runs since the pointer's snapshot that did not publish because of too few markets. */
export function readShrunkRuns(item: Item): number {
  return Number(item.shrunkRuns?.N ?? 0);
}

/** The item with the reason of a failure. */
export function failureItem(failure: RefreshFailure, expiresAt: UnixSeconds): Item {
  return {
    ...FAILURE_KEY,
    failure: { S: JSON.stringify(failure) },
    [SNAPSHOT_KEYS.ttl]: { N: String(expiresAt) },
  };
}

/**
 * The reason of a failure.
 *
 * @returns undefined for an item of another version: `/api/status` then names no reason
 */
export function readFailure(item: Item): RefreshFailure | undefined {
  const value = parseJson(item.failure?.S ?? '');
  return hasForm(value, { since: 0, at: 0, reason: '' }) ? value : undefined;
}

// The forms below are examples of stored values. `hasForm` compares the types of their fields with
// those of a value that was read. The types make each form complete.

const TEXT_FORM: StoredText = { chunks: 0, checksum: '', expiresAt: 0 };
type OptionalField =
  | 'memorySince'
  | 'previousId'
  | 'fallbackSince'
  | 'missing'
  | 'missingText'
  | 'upstream';
const OPTIONAL_FORM: Required<Pick<SnapshotManifest, OptionalField>> = {
  memorySince: 0,
  previousId: '',
  fallbackSince: 0,
  missing: { since: 0, markets: 0, expected: 0 },
  missingText: { chunks: 0, checksum: '' },
  upstream: '',
};
const MANIFEST_FORM: Omit<SnapshotManifest, keyof typeof OPTIONAL_FORM> = {
  ...TEXT_FORM,
  id: '',
  asOf: 0,
  readUntil: 0,
  failedCalls: 0,
  catalogueAsOf: 0,
  cataloguePricesAsOf: 0,
  markets: 0,
  maxMarkets: 0,
  isCut: false,
  counts: {
    skippedByReason: {},
    unknownVersions: [],
    withOneDayChange: 0,
    withSevenDayChange: 0,
    withThirtyDayChange: 0,
    bySource: countSources([]),
  },
  base: { ...TEXT_FORM, id: '', writtenAt: 0, bytes: 0 },
};

/** Checks that the value has all fields of the form, with the same types. */
function hasForm<T>(value: unknown, form: T): value is T {
  if (typeof form !== 'object' || form === null) return typeof value === typeof form;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(form))
    return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(form).every(([name, part]) => hasForm(fields[name], part));
}
