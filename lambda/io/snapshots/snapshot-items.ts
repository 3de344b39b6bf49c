/**
 * The items of the snapshot table, except those with past prices (`stored-prices.ts`). A snapshot is
 * the list of all markets with their prices at one time. Each item has a partition and a number:
 *
 * LATEST      the pointer: the manifest of the newest snapshot (all but its markets)
 * FAILURE     why the last run failed
 * PUBLISHED   one item for each published snapshot, for the archive
 * SNAPSHOT#…  a snapshot's compressed text, cut into items
 * BASE#…      a base: an earlier text against which snapshots are compressed
 * MISSING#…   the markets that a snapshot should have and lacks
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { SnapshotInfo } from '../../core/domain/snapshot.ts';
import type { UnixMs, UnixSeconds } from '../../core/domain/time.ts';
import { SNAPSHOT_KEYS } from '../platform/storage-layout.ts';
import {
  BrokenSnapshotError,
  parseFailure,
  parseManifest,
  type RefreshFailure,
  type SnapshotManifest,
} from './snapshot-manifest.ts';

/** An item of the table, in DynamoDB's form. */
export type Item = Record<string, AttributeValue>;

/**
 * The largest data of one item. DynamoDB serves 3,000 read units per second and key: with items of
 * this size, 180 new containers can load a snapshot within a second.
 */
export const MAX_CHUNK_BYTES = 128 * 1_024;

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

/** The key of an item with the markets that a snapshot lacks. */
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

/**
 * Cuts the bytes of a stored text into items.
 *
 * @param keyOf the key of each item: `snapshotKey`, `baseKey` or `missingKey` of an id
 */
export function chunkItems(
  bytes: Buffer,
  keyOf: (chunk: number) => Item,
  expiresAt: UnixSeconds,
): Item[] {
  const items: Item[] = [];
  for (let start = 0; start < bytes.length; start += MAX_CHUNK_BYTES) {
    const data = bytes.subarray(start, start + MAX_CHUNK_BYTES);
    const ttl = { [SNAPSHOT_KEYS.ttl]: { N: String(expiresAt) } };
    items.push({ ...keyOf(items.length), data: { B: data }, ...ttl });
  }
  return items;
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
  return parseManifest(item.manifest?.S ?? '');
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
  return parseFailure(item.failure?.S ?? '');
}
