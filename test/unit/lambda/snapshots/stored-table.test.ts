import { describe, expect, it } from '@jest/globals';
import { ByteReader, ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import { entryAt, tableOf } from '../../../../lambda/snapshots/market-table.ts';
import { readTable, writeTable } from '../../../../lambda/snapshots/stored-table.ts';
import { manyEntries } from '../../../support/many-entries.ts';

const MARKETS = 600;
const entries = manyEntries(MARKETS);

/** A table as it is stored, and how often a part of it was unpacked. */
function stored(count = MARKETS) {
  const writer = new ByteWriter();
  const table = tableOf(entries.slice(0, count));
  writeTable(writer, table, (bytes) => bytes);
  let unpacked = 0;
  const read = readTable(new ByteReader(writer.take()), (bytes) => {
    unpacked += 1;
    return bytes;
  });
  return { table, read, unpackedParts: () => unpacked };
}

describe('a stored table', () => {
  it('gives back every market, with the bound of its rows', () => {
    const { table, read } = stored();
    expect(entries.map((_, position) => entryAt(read, position))).toEqual(entries);
    expect(read.longestRow).toBe(table.longestRow);
  });

  it('unpacks the texts of a page only, and each once', () => {
    const { read, unpackedParts } = stored();
    expect(unpackedParts()).toBe(1); // the numbers
    for (const position of [0, 511, 0]) read.text(position);
    expect(unpackedParts()).toBe(2);
    read.text(512);
    expect(unpackedParts()).toBe(3);
  });

  it('has no market beyond its end, and none at all when it is empty', () => {
    expect(() => stored().read.text(MARKETS)).toThrow(RangeError);
    const { read } = stored(0);
    expect([read.length, read.longestRow]).toEqual([0, 0]);
    expect(() => read.text(0)).toThrow(RangeError);
  });

  it('is refused when its numbers are not as many as its markets need', () => {
    const writer = new ByteWriter();
    for (const header of [2, 0, 2]) writer.varint(header);
    writer.bytes(new Uint8Array(8));
    writer.bytes(Buffer.from('{}\n{}'));
    expect(() => readTable(new ByteReader(writer.take()), (bytes) => bytes)).toThrow('numbers');
  });
});
