/**
 * The manifest: what the table stores of a snapshot besides its markets. Every field is checked
 * when it is read, because another version of this service may have written it.
 */
import { EMPTY_COUNTS, type SnapshotInfo } from '../../core/domain/snapshot.ts';
import type { UnixMs, UnixSeconds } from '../../core/domain/time.ts';
import { type OptionalFields, parseJson } from '../../core/domain/values.ts';

/** A compressed text in the table. */
interface StoredText {
  /** Number of its items. */
  readonly chunks: number;
  /** SHA-256, hex. */
  readonly checksum: string;
  /** DynamoDB deletes expired items some time later. */
  readonly expiresAt: UnixSeconds;
}

/**
 * A base: the full text of an earlier snapshot. Later snapshots are compressed against it, because
 * most of their text is equal.
 */
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
  /** The text with the markets that the list lacks. It expires with the snapshot. */
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

/** A part of a stored snapshot is missing, or the checksum does not match. */
export class BrokenSnapshotError extends Error {
  override readonly name = 'BrokenSnapshotError';
}

/** Reads the JSON of a manifest. @returns undefined for one of another version */
export function parseManifest(json: string): SnapshotManifest | undefined {
  const manifest = parseJson(json);
  if (!hasForm(manifest, MANIFEST_FORM)) return undefined;
  // An optional field that is absent gets the example's value, and so passes.
  const complete = { ...OPTIONAL_FORM, ...manifest };
  return hasForm(complete, OPTIONAL_FORM) ? manifest : undefined;
}

/** Reads the JSON of a failure. @returns undefined for one of another version */
export function parseFailure(json: string): RefreshFailure | undefined {
  const failure = parseJson(json);
  return hasForm(failure, { since: 0, at: 0, reason: '' }) ? failure : undefined;
}

// The forms below are examples of stored values. For example, `{ at: 0, reason: '' }` stands for any
// number and any text: `hasForm` compares the types of the fields with those of a value that was
// read. If a form lacks a field, that is a type error.

const TEXT_FORM: StoredText = { chunks: 0, checksum: '', expiresAt: 0 };
const OPTIONAL_FORM: Required<OptionalFields<SnapshotManifest>> = {
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
  counts: EMPTY_COUNTS,
  base: { ...TEXT_FORM, id: '', writtenAt: 0, bytes: 0 },
};

/** Whether the value has all fields of the form, with values of the same types. */
function hasForm<T>(value: unknown, form: T): value is T {
  if (typeof form !== 'object' || form === null) return typeof value === typeof form;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(form))
    return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(form).every(([name, part]) => hasForm(fields[name], part));
}
