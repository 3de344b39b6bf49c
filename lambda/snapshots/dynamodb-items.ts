import type { SnapshotInfo } from '../domain/snapshot.ts';
import type { Item } from '../platform/dynamodb/item.ts';
import { BrokenSnapshotError } from './broken-snapshot-error.ts';

export type { Item };

/** The table's attribute names; the stack builds the table from the same ones. */
export const SNAPSHOT_KEYS = { partition: 'pk', sort: 'n', ttl: 'expiresAt' } as const;

/** A stored thing in so many items, and how to tell that it is whole. */
export interface Piece {
  readonly chunks: number;
  readonly checksum: string;
}

/** A piece that is kept for a while. */
export interface StoredPart extends Piece {
  /** Unix seconds after which its chunks are gone, or as good as gone: DynamoDB deletes late. */
  readonly expiresAt: number;
}

/** A base: the texts of all markets, and numbers to count from. It outlives every snapshot that names it. */
export interface BaseReference extends Pick<StoredPart, 'expiresAt'> {
  readonly id: string;
  /** Ms. */
  readonly writtenAt: number;
  /** Named apart from those of a former base, so that former readers refuse it rather than read it wrongly. */
  readonly markets: Piece;
  /** The terms of the texts, for those who search them. */
  readonly terms: Piece & {
    /** See `TEXT_RULES`. */
    readonly rules: number;
  };
}

/** A base in the form that was written before (docs/adr/0028-lazy-base.md); it is read, and not counted from again. */
export interface FormerBase extends StoredPart {
  readonly id: string;
  readonly writtenAt: number;
}

/**
 * What is known of a stored snapshot without reading its chunks: held by the pointer, and by chunk 0 so that an
 * older snapshot can be read by its id alone.
 */
export interface Manifest extends SnapshotInfo, StoredPart {
  /** Absent where an older version of the service has written the snapshot: then the chunks hold everything. */
  readonly base?: BaseReference | FormerBase;
}

/** Whether a base has the form that is written today. */
export function isCurrent(base: BaseReference | FormerBase): base is BaseReference {
  return 'markets' in base;
}

export const POINTER_KEY: Item = key('LATEST', 0);

export function chunkKey(id: string, n: number): Item {
  return key(`SNAPSHOT#${id}`, n);
}

/** Each chunk in a partition of its own: all containers read them when they start. */
export function baseKey(id: string, n: number): Item {
  return key(`BASE#${id}#${n}`, 0);
}

export function termsKey(id: string, n: number): Item {
  return key(`BASE#${id}#terms#${n}`, 0);
}

export function key(partition: string, n: number): Item {
  return { [SNAPSHOT_KEYS.partition]: { S: partition }, [SNAPSHOT_KEYS.sort]: { N: String(n) } };
}

export function pointerItem(manifest: Manifest, shrunkRuns: number): Item {
  return {
    ...POINTER_KEY,
    // Beside the manifest, for the conditions of the next writers.
    asOf: { N: String(manifest.asOf) },
    snapshotId: { S: manifest.id },
    manifest: { S: JSON.stringify(manifest) },
    shrunkRuns: { N: String(shrunkRuns) },
  };
}

export function chunkItem(manifest: Manifest, n: number, data: Uint8Array): Item {
  return {
    ...chunkKey(manifest.id, n),
    data: { B: data },
    [SNAPSHOT_KEYS.ttl]: { N: String(manifest.expiresAt) },
    ...(n === 0 ? { manifest: { S: JSON.stringify(manifest) } } : {}),
  };
}

/** @param Key of the chunk */
export function baseItem({ expiresAt }: Pick<BaseReference, 'expiresAt'>, Key: Item, data: Uint8Array): Item {
  return {
    ...Key,
    data: { B: data },
    [SNAPSHOT_KEYS.ttl]: { N: String(expiresAt) },
  };
}

/** @throws BrokenSnapshotError when the item does not hold a manifest of the documented form */
export function readManifest(item: Item): Manifest {
  const manifest = findManifest(item);
  if (!manifest) throw new BrokenSnapshotError('The stored manifest cannot be read');
  return manifest;
}

/** @returns undefined when the item does not hold a manifest of the documented form */
export function findManifest(item: Item): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(item.manifest?.S ?? 'null');
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined; // not even JSON
  }
}

export function readShrunkRuns(item: Item): number {
  const runs = Number(item.shrunkRuns?.N ?? 0);
  return Number.isSafeInteger(runs) ? runs : 0;
}

const NUMBERS = ['asOf', 'markets', 'chunks', 'expiresAt'] as const;
const BASE_NUMBERS = ['expiresAt', 'writtenAt'] as const;
const MEMORY_NUMBERS = ['since', 'oneDay', 'sevenDay', 'thirtyDay'] as const;
const COUNTS = ['skipped', 'withOneDayChange', 'cataloguePriced'] as const;

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value)) return false;
  const { id, checksum, counts, base, memory } = value;
  return (
    typeof id === 'string' &&
    typeof checksum === 'string' &&
    NUMBERS.every((name) => Number.isFinite(value[name])) &&
    isObject(counts) &&
    COUNTS.every((name) => Number.isFinite(counts[name])) &&
    (base === undefined || isBase(base)) &&
    (memory === undefined ||
      (isObject(memory) && MEMORY_NUMBERS.every((name) => Number.isFinite(memory[name]))))
  );
}

function isBase(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    BASE_NUMBERS.every((name) => Number.isFinite(value[name])) &&
    (value.markets === undefined ? isPiece(value) : isPiece(value.markets) && isPiece(value.terms))
  );
}

function isPiece(value: unknown): boolean {
  return isObject(value) && typeof value.checksum === 'string' && Number.isFinite(value.chunks);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
