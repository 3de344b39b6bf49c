import { describe, expect, it } from '@jest/globals';
import { LatestPointer } from '../../../../lambda/io/snapshots/latest-pointer.ts';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-manifest.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { AS_OF, testManifest } from '../../../support/markets.ts';

// A container of the API remembers which snapshot of the markets is the newest: the "pointer". The
// table has it, and a new snapshot exists every minute, so `LatestPointer` reads it again when a
// newer one may exist. The snapshot is described by its manifest.

const manifestAt = (asOf: number): SnapshotManifest => testManifest([], asOf);

/** The table, with a snapshot as of `AS_OF`. */
class FakeTable {
  manifest: SnapshotManifest | undefined = manifestAt(AS_OF);
  reads = 0;
  isDown = false;
  /** While it is true, a read hangs until the test resolves it in `hanging`. */
  hangs = false;
  /** The reads that hang, oldest first. */
  readonly hanging: PromiseWithResolvers<void>[] = [];

  async latest() {
    this.reads += 1;
    // A read that hangs returns what the table had when it began.
    const { manifest } = this;
    if (this.hangs) {
      const read = Promise.withResolvers<void>();
      this.hanging.push(read);
      await read.promise;
    }
    if (this.isDown) throw new Error('The table is down');
    return manifest;
  }

  async lastFailure() {
    return undefined;
  }
}

/** A container at the time `AS_OF`. So the time that passes is the age of the snapshot. */
function setup() {
  const clock = new ManualClock(AS_OF);
  const table = new FakeTable();
  return { clock, table, pointer: new LatestPointer(table, clock) };
}

describe('the pointer of a container', () => {
  it.each([
    { ageMs: 10_000, intervalMs: 5_000, why: 'no new one is due' },
    { ageMs: 55_000, intervalMs: 500, why: 'the next one is due after a minute' },
    { ageMs: 119_000, intervalMs: 500, why: 'the next one is late' },
  ])(
    'is read at most every $intervalMs ms at the age of $ageMs ms: $why',
    async ({ ageMs, intervalMs }) => {
      const { clock, table, pointer } = setup();
      await clock.advance(ageMs);
      await pointer.current();
      await clock.advance(intervalMs - 1);
      await pointer.current();
      expect(table.reads).toBe(1);
      await clock.advance(1);
      await pointer.current();
      expect(table.reads).toBe(2);
    },
  );

  it('is read before a snapshot older than two minutes is served, even 0.1 s after the last read', async () => {
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

  // Lambda freezes a container between requests. A read under way then hangs. So a request waits for
  // a read of an earlier request only if that began less than 1.5 s ago.
  it('is read again if an earlier read may be from before a freeze', async () => {
    const { clock, table, pointer } = setup();
    table.hangs = true;
    const frozen = pointer.current();
    await clock.advance(1_499);
    const joined = pointer.current();
    expect(table.reads).toBe(1);
    await clock.advance(1);
    table.manifest = manifestAt(AS_OF + 60_000);
    const fresh = pointer.current();
    expect(table.reads).toBe(2);
    table.hanging[1]?.resolve();
    expect(await fresh).toBe(table.manifest);
    // The older read ends last, with an older snapshot.
    table.hanging[0]?.resolve();
    await Promise.all([frozen, joined]);
    expect(pointer.known).toBe(table.manifest);
  });

  it('is waited for 1 s if the table hangs while the snapshot is fresh, and read again 5 s later', async () => {
    const { clock, table, pointer } = setup();
    await pointer.current();
    await clock.advance(60_000);
    table.hangs = true;
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
