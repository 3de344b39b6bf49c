import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { baseItem, baseKey, chunkItem, type Manifest } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotLoader } from '../../../../lambda/snapshots/snapshot-loader.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { BASE, MOVED } from './former/varint-fixtures.ts';
import { StoredParts } from './stored-parts.ts';

const EXPIRES_AT = 1_800_000_000;

function manifestOf(part: { chunks: readonly Uint8Array[]; checksum: string }, markets: number): Manifest {
  return {
    id: 'one',
    asOf: 0,
    counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
    markets,
    chunks: part.chunks.length,
    checksum: part.checksum,
    expiresAt: EXPIRES_AT,
  };
}

/** A store with the chunks of a snapshot. */
function storeWith(manifest: Manifest, chunks: readonly Uint8Array[]) {
  const store = new StoredParts();
  for (const [n, data] of chunks.entries()) store.put(chunkItem(manifest, n, data));
  return { store, loader: new SnapshotLoader(store.get, true) };
}

describe('a snapshot that a former version has written', () => {
  it('of varints is loaded with its base, which has no terms', async () => {
    const base = {
      id: 'base',
      chunks: 1,
      checksum: BASE.checksum,
      expiresAt: EXPIRES_AT,
      writtenAt: 0,
    };
    const manifest = { ...manifestOf(MOVED, 3), base };
    const { store, loader } = storeWith(manifest, MOVED.chunks);
    for (const [n, data] of BASE.chunks.entries()) store.put(baseItem(base, baseKey('base', n), data));
    const { records, indexed } = await loader.load(manifest);
    expect([...records].map(({ question }) => question).toSorted()).toEqual([
      'Will event 1 happen?',
      'Will event 3 happen?',
      'Zürich?',
    ]);
    expect(indexed).toBeUndefined();
    store.drop(baseKey('base', 0));
    await expect(loader.load(manifest)).rejects.toThrow('Chunk 0 of base base is missing');
  });

  it('as a whole is loaded without a base', async () => {
    const markets = [1, 2].map((n) => snapshotEntry(n).market);
    const data = zstdCompressSync(markets.map((market) => JSON.stringify(market)).join(',\n'));
    const chunks = [data.subarray(0, 100), data.subarray(100)];
    const manifest = manifestOf({ chunks, checksum: createHash('sha256').update(data).digest('hex') }, 2);
    const { store, loader } = storeWith(manifest, chunks);
    const { records } = await loader.load(manifest);
    expect([...records].map(({ id }) => id)).toEqual(markets.map(({ id }) => id));
    expect(store.reads.toSorted()).toEqual(['SNAPSHOT#one/0', 'SNAPSHOT#one/1']);
  });
});
