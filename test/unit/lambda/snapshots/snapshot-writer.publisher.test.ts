import { describe, expect, it } from '@jest/globals';
import { type Snapshot, snapshotId } from '../../../../lambda/domain/snapshot.ts';
import type { SnapshotPublisher } from '../../../../lambda/refresh/ports.ts';
import { SnapshotWriter } from '../../../../lambda/snapshots/snapshot-writer.ts';
import { memoryPublisher } from '../../../support/memory-publisher.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DEADLINE = Number.POSITIVE_INFINITY;

function snapshot(asOf: number, markets = 2, catalogueAsOf?: number): Snapshot {
  return {
    id: snapshotId(asOf, () => 0.5),
    asOf,
    ...(catalogueAsOf === undefined ? {} : { catalogueAsOf }),
    entries: Array.from({ length: markets }, (_, n) => snapshotEntry(n)),
    counts: { skipped: 1, withOneDayChange: 2, cataloguePriced: 3 },
  };
}

function writer(): SnapshotPublisher {
  const { client, table } = new MemoryTable();
  return new SnapshotWriter({ client, table, now: () => NOW, keptSeconds: 3_600 });
}

/** What the refresh relies on, of the real one and of the one that its own tests and the simulation have. */
describe.each([
  ['the store', writer],
  ['memory', () => memoryPublisher()],
])('a publisher over %s', (_, create) => {
  it('knows of nothing before the first snapshot', async () => {
    const publisher = create();
    expect(await publisher.latest(DEADLINE)).toBeUndefined();
    expect(await publisher.newest(DEADLINE)).toBeUndefined();
  });

  it('gives back what was published last', async () => {
    const publisher = create();
    await publisher.publish(snapshot(NOW - 60_000), DEADLINE);
    const { entries, ...about } = snapshot(NOW, 3, NOW - 30_000);
    expect(await publisher.publish({ ...about, entries }, DEADLINE)).toMatchObject({ outcome: 'published' });
    const published = { ...about, markets: 3, shrunkRuns: 0 };
    expect(await publisher.latest(DEADLINE)).toMatchObject(published);
    const newest = await publisher.newest(DEADLINE);
    expect(newest?.published).toMatchObject(published);
    expect(newest?.entries).toEqual(entries);
  });

  it('does not let an older snapshot replace a newer one, and takes the same one twice', async () => {
    const publisher = create();
    await publisher.publish(snapshot(NOW), DEADLINE);
    const older = await publisher.publish(snapshot(NOW - 1), DEADLINE);
    expect(older).toMatchObject({ outcome: 'superseded' });
    expect((await publisher.latest(DEADLINE))?.asOf).toBe(NOW);
    const again = await publisher.publish(snapshot(NOW), DEADLINE);
    expect(again).toMatchObject({ outcome: 'published' });
  });

  it('counts runs that did not publish, until one does with a catalogue of its own', async () => {
    const publisher = create();
    const shrunkRuns = async () => (await publisher.latest(DEADLINE))?.shrunkRuns;
    await publisher.publish(snapshot(NOW - 120_000, 2, NOW - 120_000), DEADLINE);
    const first = await publisher.latest(DEADLINE);
    if (!first) throw new Error('Nothing was published');
    await publisher.recordShrunkRun(first, DEADLINE);
    expect(await shrunkRuns()).toBe(1);
    await publisher.publish(snapshot(NOW - 60_000, 2, NOW - 120_000), DEADLINE);
    expect(await shrunkRuns()).toBe(1);
    await publisher.publish(snapshot(NOW, 2, NOW), DEADLINE);
    expect(await shrunkRuns()).toBe(0);
    await publisher.recordShrunkRun(first, DEADLINE); // about a snapshot that is no longer the newest
    expect(await shrunkRuns()).toBe(0);
  });
});
