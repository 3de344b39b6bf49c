import { describe, expect, it } from '@jest/globals';
import { LatestPointer } from '../../../../lambda/io/snapshots/latest-pointer.ts';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-manifest.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { AS_OF, testManifest } from '../../../support/markets.ts';

const manifestAt = (asOf: number): SnapshotManifest => testManifest([], asOf);

/** The table's pointer to the newest snapshot, whose reads end at once unless a test holds them. */
class FakeTable {
  manifest: SnapshotManifest | undefined = manifestAt(AS_OF);
  reads = 0;
  isDown = false;
  /** The reads that hang, in order; undefined if none shall hang. */
  #held: PromiseWithResolvers<void>[] | undefined;

  async latest() {
    this.reads += 1;
    // A read that hangs returns what the table had when it began.
    const { manifest } = this;
    if (this.#held) {
      const read = Promise.withResolvers<void>();
      this.#held.push(read);
      await read.promise;
    }
    if (this.isDown) throw new Error('The table is down');
    return manifest;
  }

  async lastFailure() {
    return undefined;
  }

  /** From now on, reads hang. */
  holdReads(): void {
    this.#held = [];
  }

  /** Ends a read that hangs. @param n 0 is the first one */
  endRead(n: number): void {
    this.#held?.[n]?.resolve();
  }
}

function setup() {
  const clock = new ManualClock(AS_OF);
  const table = new FakeTable();
  return { clock, table, pointer: new LatestPointer(table, clock) };
}

// Each container remembers which snapshot is the newest, and asks the table again when a newer one
// may exist: there is one every minute. The clock begins at `AS_OF`, the time of the first
// snapshot, so the time that has passed is the age of its data.
describe('the pointer of a container', () => {
  it.each([
    { when: 'the next prices are not due', ageMs: 10_000, intervalMs: 5_000 },
    { when: 'they are due', ageMs: 55_000, intervalMs: 500 },
    { when: 'two minutes are almost over', ageMs: 119_000, intervalMs: 500 },
  ])('is read at most every $intervalMs ms while $when', async ({ ageMs, intervalMs }) => {
    const { clock, table, pointer } = setup();
    await clock.advance(ageMs);
    await pointer.current();
    await clock.advance(intervalMs - 1);
    await pointer.current();
    expect(table.reads).toBe(1);
    await clock.advance(1);
    await pointer.current();
    expect(table.reads).toBe(2);
  });

  it('is read before data older than two minutes is served, whenever it was read last', async () => {
    const { clock, table, pointer } = setup();
    await clock.advance(119_900);
    await pointer.current();
    await clock.advance(101);
    table.manifest = manifestAt(clock.now());
    expect(await pointer.current()).toBe(table.manifest);
  });

  it('is read once for requests at the same time', async () => {
    const { table, pointer } = setup();
    await Promise.all([pointer.current(), pointer.current()]);
    expect(table.reads).toBe(1);
  });

  it('is read again for each request while there is none', async () => {
    const { table, pointer } = setup();
    table.manifest = undefined;
    await pointer.current();
    expect(await pointer.current()).toBeUndefined();
    expect(table.reads).toBe(2);
  });

  it('is read once when the clock was set back', async () => {
    const { clock, table, pointer } = setup();
    await pointer.current();
    await clock.advance(-3_000);
    await pointer.current();
    await pointer.current();
    expect(table.reads).toBe(2);
  });

  it('counts a failed read as a read and keeps the known manifest', async () => {
    const { clock, table, pointer } = setup();
    const known = await pointer.current();
    table.isDown = true;
    await clock.advance(5_000);
    await expect(pointer.current()).rejects.toThrow('down');
    expect(await pointer.current()).toBe(known);
    expect(table.reads).toBe(2);
  });

  // Lambda stops a container between requests. A read under way then hangs.
  it('does not use a read that began before the container was frozen', async () => {
    const { clock, table, pointer } = setup();
    table.holdReads();
    const frozen = pointer.current();
    await clock.advance(1_499);
    const joined = pointer.current();
    expect(table.reads).toBe(1);
    // A read that is 1.5 s old may be from before the freeze, so the next request begins another.
    await clock.advance(1);
    table.manifest = manifestAt(AS_OF + 60_000);
    const fresh = pointer.current();
    expect(table.reads).toBe(2);
    table.endRead(1);
    expect(await fresh).toBe(table.manifest);
    table.endRead(0);
    await Promise.all([frozen, joined]);
    expect(pointer.known).toBe(table.manifest);
  });

  // While the data is fresh, no request waits longer than a second for a table that hangs.
  it('is read 5 s after a time-out of 1 s while the data is fresh', async () => {
    const { clock, table, pointer } = setup();
    await pointer.current();
    await clock.advance(60_000);
    table.holdReads();
    const found = pointer.current();
    await clock.advance(1_000);
    expect(await found).toBe(table.manifest);
    await clock.advance(4_999);
    expect(await pointer.current()).toBe(table.manifest);
    expect(table.reads).toBe(2);
    await clock.advance(1);
    const again = pointer.current();
    await clock.advance(1_000);
    expect(await again).toBe(table.manifest);
    expect(table.reads).toBe(3);
  });
});
