import { describe, expect, it } from '@jest/globals';
import { LatestPointer } from '../../../../lambda/io/snapshots/latest-pointer.ts';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-items.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { AS_OF, testManifest } from '../../../support/markets.ts';

const manifestAt = (asOf: number): SnapshotManifest => testManifest([], asOf);

/** A pointer over a table whose reads end at once, or when a test says so. */
function setup() {
  const clock = new ManualClock(AS_OF);
  const table = {
    manifest: manifestAt(AS_OF) as SnapshotManifest | undefined,
    reads: 0,
    isDown: false,
  };
  let release: (() => void)[] | undefined;
  const reader = {
    async latest() {
      table.reads += 1;
      const { manifest } = table;
      if (release) await new Promise<void>((resolve) => release?.push(resolve));
      if (table.isDown) throw new Error('The table is down');
      return manifest;
    },
    lastFailure: async () => undefined,
  };
  /** Lets reads hang from now on. @returns a function that ends the n-th of them, from 0 */
  const hold = () => {
    release = [];
    return (n: number) => release?.[n]?.();
  };
  return { clock, table, hold, pointer: new LatestPointer(reader, clock) };
}

// The newest snapshot is as old as the time that has passed since `AS_OF`, where the clock begins.
// There is a new one every minute.
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

  it('does not use a read that began before the container was frozen', async () => {
    const { clock, table, hold, pointer } = setup();
    const release = hold();
    const frozen = pointer.current();
    // A read that is 1.5 s old may be from before the freeze.
    await clock.advance(1_499);
    const joined = pointer.current();
    expect(table.reads).toBe(1);
    await clock.advance(1);
    table.manifest = manifestAt(AS_OF + 60_000);
    const fresh = pointer.current();
    expect(table.reads).toBe(2);
    release(1);
    expect(await fresh).toBe(table.manifest);
    release(0);
    await Promise.all([frozen, joined]);
    expect(pointer.known).toBe(table.manifest);
  });

  // While the data is fresh, no request waits longer than a second for a table that hangs.
  it('is read 5 s after a time-out of 1 s while the data is fresh', async () => {
    const { clock, table, hold, pointer } = setup();
    await pointer.current();
    await clock.advance(60_000);
    hold();
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
