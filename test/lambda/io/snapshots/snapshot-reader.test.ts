import type { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-manifest.ts';
import { SnapshotReader } from '../../../../lambda/io/snapshots/snapshot-reader.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testMarkets, testSnapshot } from '../../../support/markets.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { callOf, stubClient } from '../../../support/stub-client.ts';
import { TestWriter } from '../../../support/test-writer.ts';

// A snapshot is stored as its difference (SNAPSHOT) from a base that many snapshots share (BASE). A
// pointer (LATEST) has the manifest of the newest one, which names both. The table of these tests
// has one snapshot of three markets.

let table: MemoryTable;
let manifest: SnapshotManifest;
const clock = new ManualClock();
const optionsFor = ({ client }: MemoryTable) => ({ client, table: 'table' });

beforeAll(async () => {
  table = new MemoryTable();
  await new TestWriter({ ...optionsFor(table), clock }).publish(testSnapshot(testMarkets(3)));
  const found = await newReader().latest();
  if (found) manifest = found;
});

type Kind = 'LATEST' | 'BASE' | 'SNAPSHOT';

/**
 * A reader of the table.
 *
 * @param lacks whether a read of an item of this kind finds nothing
 * @param reads gets a line for each read
 */
function newReader(
  lacks: (kind: Kind, isConsistent: boolean) => boolean = () => false,
  reads: string[] = [],
) {
  const { client } = stubClient(async (command) => {
    const { partition, isConsistent } = callOf(command);
    const kind = partition.split('#')[0] as Kind;
    reads.push(isConsistent ? `${kind} consistently` : kind);
    return lacks(kind, isConsistent) ? {} : await table.client.send(command as GetItemCommand);
  });
  return new SnapshotReader({ client, table: 'table' });
}

describe('a reader', () => {
  it('reads the pointer consistently, the items from any replica, and each base once', async () => {
    const reads: string[] = [];
    const reader = newReader(() => false, reads);
    await reader.latest();
    expect(await reader.read(manifest)).toHaveLength(3);
    await reader.read(manifest);
    expect(reads.toSorted()).toEqual(['BASE', 'LATEST consistently', 'SNAPSHOT', 'SNAPSHOT']);
  });

  it.each(['SNAPSHOT', 'BASE'])(
    'reads an item that a replica does not have yet once more (%s)',
    async (late) => {
      const reader = newReader((kind, isConsistent) => kind === late && !isConsistent);
      expect(await reader.read(manifest)).toHaveLength(3);
    },
  );

  it.each(['SNAPSHOT', 'BASE'])(
    'says that a snapshot is broken when an item is lost (%s)',
    async (lost) => {
      await expect(newReader((kind) => kind === lost).read(manifest)).rejects.toThrow('missing');
    },
  );

  it('tries again to read a base after a failure', async () => {
    let isLost = true;
    const reader = newReader((kind) => kind === 'BASE' && isLost);
    await expect(reader.read(manifest)).rejects.toThrow('missing');
    isLost = false;
    expect(await reader.read(manifest)).toHaveLength(3);
  });

  it.each([
    ['another number of markets', { markets: 4 }],
    ['another checksum', { checksum: '00' }],
  ])('refuses a snapshot with %s', async (_, changes) => {
    await expect(newReader().read({ ...manifest, ...changes })).rejects.toThrow();
  });

  // A reader keeps two bases, those that it has read last.
  it('reads snapshots of more bases than it keeps, at the same time', async () => {
    const later = new ManualClock();
    const options = optionsFor(new MemoryTable());
    const manifests: SnapshotManifest[] = [];
    for (let n = 0; n < 4; n += 1) {
      const asOf = later.now();
      const snapshot = {
        ...testSnapshot(testMarkets(3)),
        id: `snapshot-${n}`,
        asOf,
        catalogueAsOf: asOf,
      };
      await new TestWriter({ ...options, clock: later }).publish(snapshot);
      const found = await new SnapshotReader(options).latest();
      if (found) manifests.push(found);
      // More than the hour in which snapshots share a base.
      await later.advance(3_700_000);
    }
    expect(new Set(manifests.map(({ base }) => base.id)).size).toBe(4);
    const reader = new SnapshotReader(options);
    const texts = await Promise.all(manifests.map((one) => reader.read(one)));
    expect(texts.map(({ length }) => length)).toEqual([3, 3, 3, 3]);
  });
});
