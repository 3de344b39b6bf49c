import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { SnapshotInfo } from '../domain/snapshot.ts';

type Item = Record<string, AttributeValue>;

/** The table's attribute names; the stack builds the table from the same ones. */
export const SNAPSHOT_KEYS = { partition: 'pk', sort: 'n', ttl: 'expiresAt' } as const;

/**
 * What is known of a stored snapshot without reading its chunks: held by the pointer, and by chunk 0 so that an
 * older snapshot can be read by its id alone.
 */
export interface Manifest extends SnapshotInfo {
  readonly chunks: number;
  readonly checksum: string;
  /** Unix seconds after which its chunks are gone, or as good as gone: DynamoDB deletes late. */
  readonly expiresAt: number;
}

export const POINTER_KEY: Item = key('LATEST', 0);

export function chunkKey(id: string, n: number): Item {
  return key(`SNAPSHOT#${id}`, n);
}

function key(partition: string, n: number): Item {
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

/** @throws Error when the item does not hold a manifest of the documented form */
export function readManifest(item: Item): Manifest {
  const manifest = findManifest(item);
  if (!manifest) throw new Error('The stored manifest cannot be read');
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
const COUNTS = ['skipped', 'withOneDayChange', 'cataloguePriced'] as const;

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const manifest = value as Record<string, unknown>;
  const counts = manifest.counts as Record<string, unknown> | undefined;
  return (
    typeof manifest.id === 'string' &&
    typeof manifest.checksum === 'string' &&
    NUMBERS.every((name) => Number.isFinite(manifest[name])) &&
    COUNTS.every((name) => Number.isFinite(counts?.[name]))
  );
}
