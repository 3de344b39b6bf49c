import { describe, expect, it } from '@jest/globals';
import { snapshotId } from '../../../../lambda/domain/snapshot.ts';
import { chunkKey } from '../../../../lambda/snapshots/dynamodb-items.ts';
import { SnapshotReader } from '../../../../lambda/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const KEPT_SECONDS = 3_600;
const START = Date.parse('2026-11-21T12:00:00Z');

/** A table with two snapshots, and a reader whose reads are noted: `!` where one is consistent. */
async function setup(withTerms?: boolean) {
  const memory = new MemoryTable();
  const clock = { now: START };
  const now = () => clock.now;
  const writer = new SnapshotWriter({ ...memory, client: memory.client, now, keptSeconds: KEPT_SECONDS });
  const counts = { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 };
  const [older, newest] = [START, START + 1].map((asOf) => ({
    id: snapshotId(asOf, Math.random),
    asOf,
    entries: [snapshotEntry(1), snapshotEntry(2)],
    counts,
  }));
  if (!older || !newest) throw new Error('No snapshots');
  await writer.publish(older);
  await writer.publish(newest);
  const reads: string[] = [];
  const client = {
    ...memory.client,
    get: (input: Parameters<typeof memory.client.get>[0]) => {
      reads.push(`${input.TableName} ${input.Key?.pk?.S}${input.ConsistentRead ? '!' : ''}`);
      return memory.client.get(input);
    },
  };
  const reader = new SnapshotReader({
    client,
    table: memory.table,
    now,
    ...(withTerms === undefined ? {} : { withTerms }),
  });
  return { memory, clock, reader, reads, older, newest };
}

const chunkReads = (reads: readonly string[]) => reads.filter((read) => read.includes('SNAPSHOT#'));

describe('a reader of the table', () => {
  it('finds the newest snapshot by a consistent read of the pointer', async () => {
    const { reader, reads, newest } = await setup();
    expect(await reader.latest()).toMatchObject({ id: newest.id, asOf: newest.asOf, markets: 2 });
    expect(reads).toEqual(['memory LATEST!']);
  });

  it('finds nothing in an empty table', async () => {
    const { table, client } = new MemoryTable();
    const reader = new SnapshotReader({ table, client, now: () => START });
    expect(await reader.latest()).toBeUndefined();
    expect(await reader.find('any')).toBeUndefined();
  });

  it('does not read the chunk again that a snapshot was found by', async () => {
    const { reader, reads, older } = await setup();
    const manifest = await reader.find(older.id);
    if (!manifest) throw new Error('Not found');
    expect((await reader.read(manifest)).records.length).toBe(2);
    expect(chunkReads(reads)).toEqual([`memory SNAPSHOT#${older.id}!`]);
  });

  it('reads the chunk where another snapshot was found meanwhile, and the next time', async () => {
    const { reader, reads, older, newest } = await setup();
    const manifest = await reader.find(older.id);
    await reader.find(newest.id);
    if (!manifest) throw new Error('Not found');
    for (let times = 0; times < 2; times += 1) {
      reads.length = 0;
      expect((await reader.read(manifest)).records.length).toBe(2);
      expect(chunkReads(reads)).toEqual([`memory SNAPSHOT#${older.id}`]);
    }
  });

  it('reads the chunk again when it reads the found snapshot a second time', async () => {
    const { reader, reads, older } = await setup();
    const manifest = await reader.find(older.id);
    if (!manifest) throw new Error('Not found');
    await reader.read(manifest);
    reads.length = 0;
    await reader.read(manifest);
    expect(chunkReads(reads)).toHaveLength(1);
  });

  it('takes a snapshot for gone from the second on in which it expires', async () => {
    const { reader, clock, older } = await setup();
    clock.now = START + KEPT_SECONDS * 1_000 - 1;
    expect(await reader.find(older.id)).toMatchObject({ id: older.id });
    clock.now += 1;
    expect(await reader.find(older.id)).toBeUndefined();
  });

  it('finds a snapshot whose chunk has lost its data, and refuses to read it', async () => {
    const { reader, memory, older } = await setup();
    const item = await memory.client.get({ TableName: 'memory', Key: chunkKey(older.id, 0) });
    const { data: _, ...others } = item ?? {};
    await memory.client.put({ TableName: 'memory', Item: others });
    const manifest = await reader.find(older.id);
    if (!manifest) throw new Error('Not found');
    await expect(reader.read(manifest)).rejects.toThrow(`Chunk 0 of snapshot ${older.id} is missing`);
  });

  it.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])('reads the terms for those who search only: %s', async (withTerms, expected) => {
    const { reader } = await setup(withTerms);
    const manifest = await reader.latest();
    if (!manifest) throw new Error('Not found');
    expect((await reader.read(manifest)).indexed !== undefined).toBe(expected);
  });
});
