import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES } from '../../../../lambda/contract/constants.ts';
import type { Snapshot, SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { chunkKey, type Manifest } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotReader } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { startSnapshotTable, type TestTable } from '../../../support/snapshot-table.ts';

const KEPT_SECONDS = 3_600;
let database: TestTable;
let now = Date.parse('2026-11-21T12:00:00Z');

beforeAll(async () => {
  database = await startSnapshotTable();
});
afterAll(() => database.close());

const writer = () => new SnapshotWriter({ ...database, now: () => now, keptSeconds: KEPT_SECONDS });
const reader = () => new SnapshotReader({ ...database, now: () => now });

function snapshot(entries: readonly SnapshotEntry[], asOf = now): Snapshot {
  return {
    id: snapshotId(asOf, Math.random),
    asOf,
    entries,
    counts: { skipped: 1, withOneDayChange: 2, cataloguePriced: 3 },
  };
}

/** Text that does not compress, so that the stored size is known well enough. */
function incompressible(characters: number): string {
  let text = '';
  while (text.length < characters) text += Math.random().toString(36).slice(2);
  return text.slice(0, characters);
}

async function latest(): Promise<Manifest> {
  const manifest = await reader().latest();
  if (!manifest) throw new Error('No pointer');
  return manifest;
}

/** Each test is later than the one before. */
function tick(): void {
  now += 120_000;
}

describe('a store', () => {
  it('knows of nothing before the first snapshot', async () => {
    expect(await reader().latest()).toBeUndefined();
    expect(await writer().latest()).toBeUndefined();
  });

  it('gives back what was published', async () => {
    tick();
    const entries = [snapshotEntry(1, { question: 'Zürich "&<>" 日本?' }), snapshotEntry(2)];
    const published = snapshot(entries);
    expect(await writer().publish(published)).toMatchObject({ outcome: 'published', chunks: 1 });
    const manifest = await latest();
    expect(manifest).toMatchObject({
      id: published.id,
      asOf: now,
      markets: 2,
      counts: published.counts,
      chunks: 1,
    });
    const { list, records } = await reader().read(manifest);
    expect(JSON.parse(list.slice(0, 2))).toEqual(entries.map(({ market }) => market));
    expect(records).toEqual(entries.map(({ market, facets }) => ({ ...market, ...facets })));
    expect(await reader().find(published.id)).toEqual(manifest);
  });

  it.each([
    ['just below', -20_000, 1],
    ['just above', 20_000, 2],
    ['far above', 3 * CHUNK_BYTES, 4],
  ])('holds a snapshot %s the size of a chunk', async (_, more, chunks) => {
    tick();
    // Base 36 letters carry 5.2 of 8 bits; zstd comes close to that.
    const characters = Math.round((CHUNK_BYTES + more) * (8 / 5.25));
    const entries = [snapshotEntry(1, { question: incompressible(characters) })];
    const result = await writer().publish(snapshot(entries));
    expect(result.chunks).toBe(chunks);
    const { list } = await reader().read(await latest());
    expect(list.at(0)).toEqual(entries[0]?.market);
  });

  it('does not let an older snapshot replace a newer one', async () => {
    tick();
    const newer = snapshot([snapshotEntry(1)]);
    const older = snapshot([snapshotEntry(2)], now - 60_000);
    await writer().publish(newer);
    expect(await writer().publish(older)).toMatchObject({ outcome: 'superseded' });
    expect((await latest()).id).toBe(newer.id);
  });

  it('lets the newest of many that publish at once win', async () => {
    tick();
    const snapshots = Array.from({ length: 8 }, (_, n) => snapshot([snapshotEntry(n)], now + n));
    await Promise.all(snapshots.map((one) => writer().publish(one)));
    expect((await latest()).id).toBe(snapshots[7]?.id);
    now += 8;
  });

  it('takes the repetition of a write that had succeeded for a success', async () => {
    tick();
    const same = snapshot([snapshotEntry(1)]);
    await writer().publish(same);
    expect(await writer().publish(same)).toMatchObject({ outcome: 'published' });
  });

  it('refuses a snapshot with a missing chunk', async () => {
    tick();
    await writer().publish(snapshot([snapshotEntry(1)]));
    const manifest = await latest();
    const { client, table } = database;
    await client.send(new DeleteItemCommand({ TableName: table, Key: chunkKey(manifest.id, 0) }));
    await expect(reader().read(manifest)).rejects.toThrow(`Chunk 0 of snapshot ${manifest.id} is missing`);
    expect(await reader().find(manifest.id)).toBeUndefined();
  });

  it('refuses a snapshot with a corrupted chunk', async () => {
    tick();
    await writer().publish(snapshot([snapshotEntry(1)]));
    const manifest = await latest();
    const { client, table } = database;
    const data = { B: Buffer.from('not what was written') };
    await client.send(new PutItemCommand({ TableName: table, Item: { ...chunkKey(manifest.id, 0), data } }));
    await expect(reader().read(manifest)).rejects.toThrow('checksum');
  });

  it('takes what has expired for gone, though DynamoDB has not deleted it yet', async () => {
    tick();
    const published = snapshot([snapshotEntry(1)]);
    await writer().publish(published);
    now += KEPT_SECONDS * 1_000 - 1;
    expect(await reader().find(published.id)).toBeDefined();
    now += 1_000;
    expect(await reader().find(published.id)).toBeUndefined();
  });

  it('counts runs that did not dare to publish, until one does', async () => {
    tick();
    await writer().publish(snapshot([snapshotEntry(1)]));
    const first = await writer().latest();
    if (!first) throw new Error('No pointer');
    await writer().recordShrunkRun(first);
    expect(await writer().latest()).toMatchObject({ shrunkRuns: 1, id: first.id });
    tick();
    await writer().publish(snapshot([snapshotEntry(1)]));
    await writer().recordShrunkRun(first); // about a snapshot that is no longer the newest
    expect(await writer().latest()).toMatchObject({ shrunkRuns: 0 });
  });
});
