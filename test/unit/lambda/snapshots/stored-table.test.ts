import { describe, expect, it } from '@jest/globals';
import { ByteReader, ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import { COLUMNS } from '../../../../lambda/snapshots/columns.ts';
import { entryAt, tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { columnOf, readTable, writeTable } from '../../../../lambda/snapshots/stored-table.ts';
import { manyEntries } from '../../../support/many-entries.ts';
import { NEWEST_COLUMN, withoutNewest, writeFormerTable } from './former-table.ts';

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
    expect(() => stored().read.text(MARKETS)).toThrow(new RangeError('There is no market at 600'));
    expect(() => stored().read.text(1_024)).toThrow(new RangeError('There is no market at 1024'));
    const { read } = stored(0);
    expect([read.length, read.longestRow]).toEqual([0, 0]);
    expect(() => read.text(0)).toThrow(RangeError);
  });

  it.each([
    [511, 1],
    [512, 1],
    [513, 2],
  ])('of %i markets lies in %i blocks, and is read to its end', (count, blocks) => {
    const writer = new ByteWriter();
    writeTable(writer, tableOf(entries.slice(0, count)), (bytes) => bytes);
    writer.varint(5);
    const reader = new ByteReader(writer.take());
    let unpacked = 0;
    const read = readTable(reader, (bytes) => {
      unpacked += 1;
      return bytes;
    });
    expect(reader.varint()).toBe(5);
    for (let position = 0; position < count; position += 1) read.text(position);
    expect(unpacked).toBe(1 + blocks);
  });

  it('gives its numbers by column, and none where a market has none', () => {
    const { table, read } = stored(3);
    expect([...read.column('volume')]).toEqual(entries.slice(0, 3).map(({ market }) => market.volume));
    expect([...read.column('midpointShift')]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect([read.number('volume', 1), read.number('midpointShift', 1)]).toEqual([
      entries[1]?.market.volume,
      undefined,
    ]);
    expect([...columnOf(table, 'volume24h')]).toEqual(
      entries.slice(0, 3).map(({ facets }) => facets.volume24h),
    );
    expect([...columnOf(table, 'thirtyDayBaseline')]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  it('reads the facts of a market once', () => {
    const { read } = stored(3);
    expect(read.facts(1)).toBe(read.facts(1));
    expect(read.facts(1).question).toBe(entries[1]?.market.question);
  });

  it('that was written before a column was added has none of its numbers', () => {
    const writer = new ByteWriter();
    writeFormerTable(writer, entries.slice(0, 3));
    const read = readTable(new ByteReader(writer.take()), (bytes) => bytes);
    expect(read.columns).toBe(COLUMNS.length - 1);
    expect([...read.column(NEWEST_COLUMN)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(entryAt(read, 1)).toEqual(withoutNewest(entries[1]));
    expect(stored(3).read.columns).toBe(COLUMNS.length);
  });

  it('is refused when its numbers are not as many as its markets need', () => {
    const writer = new ByteWriter();
    for (const header of [2, 0, 2]) writer.varint(header);
    writer.bytes(new Uint8Array(8));
    writer.bytes(Buffer.from('{}\n{}'));
    expect(() => readTable(new ByteReader(writer.take()), (bytes) => bytes)).toThrow(
      new RangeError('The numbers are not those of a table'),
    );
  });
});
