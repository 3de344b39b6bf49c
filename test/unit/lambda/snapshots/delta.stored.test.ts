import { describe, expect, it } from '@jest/globals';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { ByteReader, ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import { COLUMNS } from '../../../../lambda/snapshots/columns.ts';
import { deltaOf, differenceShare, readDelta, writeDelta } from '../../../../lambda/snapshots/delta.ts';
import { entryAt, tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { readTable, writeTable } from '../../../../lambda/snapshots/stored-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { withoutNewest, writeFormerTable } from './former-table.ts';

const uncompressed = (bytes: Uint8Array): Uint8Array => bytes;
/** Markets by their numbers; the lower one has the higher volume. */
const markets = (...ns: number[]) => ns.map((n) => snapshotEntry(n));

function storedTable(entries: readonly SnapshotEntry[]) {
  const writer = new ByteWriter();
  writeTable(writer, tableOf(entries), uncompressed);
  return { bytes: writer.take(), table: readTable(new ByteReader(writer.take()), uncompressed) };
}

function written(base: readonly SnapshotEntry[], list: readonly SnapshotEntry[]): Uint8Array {
  const table = tableOf(base);
  const writer = new ByteWriter();
  writeDelta(writer, table, deltaOf(table, tableOf(list)));
  return writer.take();
}

/** The list as it is read from its base and the bytes, all of which are read. */
function read(base: readonly SnapshotEntry[], bytes: Uint8Array): SnapshotEntry[] {
  const reader = new ByteReader(bytes);
  const table = readDelta(reader, storedTable(base).table);
  expect(reader.read).toBe(bytes.length);
  return Array.from({ length: table.length }, (_, position) => entryAt(table, position));
}

describe('the difference of a list from its base', () => {
  const deltaOfMarkets = (base: readonly SnapshotEntry[], list: readonly SnapshotEntry[]) => {
    const { removed, added, places } = deltaOf(tableOf(base), tableOf(list));
    return { removed, added, places };
  };

  it.each([
    ['none', markets(1, 2), markets(1, 2), { removed: [], added: [], places: [0, 1] }],
    ['new numbers', markets(1), [snapshotEntry(1, { volume: 5 })], { removed: [], added: [], places: [0] }],
    [
      'a new text',
      markets(1),
      [snapshotEntry(1, { question: 'Else?' })],
      { removed: [0], added: [0], places: [1] },
    ],
    ['another order', markets(1, 2), markets(2, 1), { removed: [], added: [], places: [1, 0] }],
    [
      'markets that have gone and come',
      markets(1, 2, 3, 4),
      markets(7, 2, 8, 4),
      { removed: [0, 2], added: [0, 2], places: [4, 1, 5, 3] },
    ],
    ['all gone', markets(1, 2), [], { removed: [0, 1], added: [], places: [] }],
  ])('is told: %s', (_, base, list, expected) => {
    expect(deltaOfMarkets(base, list)).toEqual(expected);
  });

  it.each([
    [markets(1, 2), markets(1, 2), 0],
    [markets(1, 2, 3, 4), markets(1, 2, 3), 0.25],
    [markets(1, 2, 3, 4), markets(1, 2, 3, 4, 5), 0.25],
    [markets(1, 2), markets(3, 4), 2],
    [[], markets(3, 4), 2],
  ])('is weighed as a share of the base', (base, list, share) => {
    const table = tableOf(base);
    expect(differenceShare(table, deltaOf(table, tableOf(list)))).toBe(share);
  });
});

describe('a stored difference', () => {
  const emptyTableBytes = () => storedTable([]).bytes.length;

  it('of the same list is hardly anything: no column differs, and the order is as usual', () => {
    // None is gone, none has come, each column is a piece of one zero, and the order is not stored.
    const bytes = written(markets(1, 2, 3), markets(1, 2, 3));
    expect(bytes).toHaveLength(1 + emptyTableBytes() + 2 * COLUMNS.length + 1);
    expect([bytes[0], bytes.at(-1)]).toEqual([0, 0]);
  });

  it('tells what is gone by the gaps between, and nothing of its numbers', () => {
    const bytes = written(markets(1, 2, 3, 4, 5), markets(1, 3, 5));
    expect([...bytes.subarray(0, 3)]).toEqual([2, 1, 1]);
    expect(bytes).toHaveLength(3 + emptyTableBytes() + 2 * COLUMNS.length + 1);
  });

  it('tells an order that is not by volume as the distance of each place from the one before', () => {
    const bytes = written(markets(1, 2, 3), markets(3, 1, 2));
    // Places 2, 0, 1: two up, two down, one up.
    expect([...bytes.subarray(-4)]).toEqual([1, 4, 3, 2]);
  });

  const rising = [1, 2].map((n) => snapshotEntry(n, { volume: n }));
  const tie = (n: number) => snapshotEntry(n, { volume: 9 });
  it.each<[string, SnapshotEntry[], SnapshotEntry[]]>([
    ['the same', markets(1, 2, 3), markets(1, 2, 3)],
    ['an empty one from an empty one', [], []],
    ['an empty one', markets(1), []],
    ['a list from an empty one', [], markets(1, 2)],
    ['markets that are new before, between and after', markets(3, 5), markets(1, 3, 4, 5, 6)],
    ['markets that are gone at both ends', markets(1, 2, 3, 4), markets(2, 3)],
    ['an order that the volumes do not give', markets(1, 2, 3), markets(2, 9, 1, 3)],
    ['volumes that ascend, though the ids do as well', [], rising],
    ['a base in another order', markets(3, 1, 2), markets(1, 2, 3)],
    [
      'new numbers',
      markets(1, 2),
      [snapshotEntry(1), snapshotEntry(2, { volume: 7, oneDayPriceChange: null })],
    ],
    [
      'new volumes, by which the order is another',
      markets(1, 2),
      [snapshotEntry(2, { volume: 2e6 }), snapshotEntry(1)],
    ],
    ['markets of one volume, of the base', [2, 1].map(tie), [1, 2].map(tie)],
    ['markets of one volume, new and old', [tie(2)], [1, 2, 3].map(tie)],
    ['markets of one volume against their ids', [1, 2].map(tie), [2, 1].map(tie)],
  ])('is read as it was written: %s', (_, base, list) => {
    expect(read(base, written(base, list))).toEqual(list);
  });

  it('from a base of fewer columns has as many pieces as that', () => {
    const list = markets(1, 2);
    const baseWriter = new ByteWriter();
    writeFormerTable(baseWriter, list);
    const base = readTable(new ByteReader(baseWriter.take()), uncompressed);
    const writer = new ByteWriter();
    writer.varint(0); // none is gone
    writeFormerTable(writer, []);
    for (let piece = 1; piece < COLUMNS.length; piece++) writer.bytes(new Uint8Array([0]));
    writer.varint(0); // in the usual order
    const bytes = writer.take();
    const reader = new ByteReader(bytes);
    const table = readDelta(reader, base);
    expect(reader.read).toBe(bytes.length);
    expect([entryAt(table, 0), entryAt(table, 1)]).toEqual(list.map(withoutNewest));
  });

  it.each([
    ['volumes descend, whatever the ids', rising.toReversed(), 0],
    ['volumes are the same and ids ascend', [1, 2].map(tie), 0],
    ['volumes ascend', rising, 2],
  ])('does not hold the usual order: %s', (_, list, lastByte) => {
    expect(written(list, list).at(-1)).toBe(lastByte);
  });
});
