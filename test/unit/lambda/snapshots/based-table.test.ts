import { describe, expect, it } from '@jest/globals';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import type { TermTable } from '../../../../lambda/search/term-table.ts';
import { BasedNumbers, BasedTable } from '../../../../lambda/snapshots/based-table.ts';
import { ByteReader, ByteWriter } from '../../../../lambda/snapshots/bytes.ts';
import { type NumberName, writeDifferences } from '../../../../lambda/snapshots/columns.ts';
import { tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { readTable, writeTable } from '../../../../lambda/snapshots/stored-table.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

function stored(entries: readonly SnapshotEntry[]) {
  const writer = new ByteWriter();
  writeTable(writer, tableOf(entries), (bytes) => bytes);
  return readTable(new ByteReader(writer.take()), (bytes) => bytes);
}

/** The numbers of a column that differs from `before`. */
function difference(values: readonly number[], before: readonly number[], perUnit: number): Uint8Array {
  const writer = new ByteWriter();
  writeDifferences(writer, Float64Array.from(values), Float64Array.from(before), perUnit);
  return writer.take();
}

const LONG = 'A long question? '.repeat(20);

/** Of the base, markets 1 and 2; added, market 3; listed 3, 2, 1. */
function based(base = [snapshotEntry(1), snapshotEntry(2)], added = [snapshotEntry(3)]) {
  const parts = { base: stored(base), added: stored(added) };
  const volumes = base.map(({ market }) => market.volume);
  const differences = new Map<NumberName, Uint8Array>([
    ['volume', difference([volumes[0] ?? 0, 7.5], volumes, 1e6)],
  ]);
  const numbers = new BasedNumbers(parts.base, parts.added, differences);
  return { numbers, table: new BasedTable({ ...parts, numbers, places: [2, 1, 0] }) };
}

describe('the numbers of a snapshot', () => {
  it('are those of the base with their differences, and after them those of the added markets', () => {
    const { numbers } = based();
    expect([...numbers.column('volume')]).toEqual([999_999, 7.5, 999_997]);
    expect([...numbers.column('liquidity')]).toEqual([1_000, 1_000, 1_000]);
  });

  it('are read once', () => {
    const { numbers } = based();
    expect(numbers.column('volume')).toBe(numbers.column('volume'));
  });
});

describe('the list of a snapshot', () => {
  it('has its markets where they are listed, of the base and of the added ones', () => {
    const { table } = based();
    expect(table.length).toBe(3);
    expect([0, 1, 2].map((position) => table.facts(position).question)).toEqual(
      [3, 2, 1].map((n) => `Will event ${n} happen?`),
    );
    expect([0, 1, 2].map((position) => JSON.parse(table.text(position)).id)).toEqual(
      [3, 2, 1].map((n) => snapshotEntry(n).market.id),
    );
    expect([0, 1, 2].map((position) => table.number('volume', position))).toEqual([999_997, 7.5, 999_999]);
  });

  it('has no number where a market has none', () => {
    expect(based().table.number('volume24h', 0)).toBeUndefined();
  });

  it('is refused where it has ended', () => {
    const { table } = based();
    for (const read of [() => table.text(3), () => table.facts(3), () => table.number('volume', 3)]) {
      expect(read).toThrow(new RangeError('There is no market at 3'));
    }
  });

  it('is bounded by the longest row, of the base or of the added markets', () => {
    const [short, long] = [[snapshotEntry(1)], [snapshotEntry(2, { question: LONG })]];
    const bound = stored(long).longestRow;
    expect(bound).toBeGreaterThan(stored(short).longestRow);
    expect(based(long, short).table.longestRow).toBe(bound);
    expect(based(short, long).table.longestRow).toBe(bound);
  });

  it('knows the documents of the base\u2019s texts, and that added markets have none', () => {
    const terms: TermTable = {
      terms: [],
      starts: new Uint32Array(1),
      postings: new Uint32Array(),
      questionTerms: new Uint32Array(2),
      categories: new Uint8Array(2),
    };
    const indexed = based().table.indexedBy(terms);
    expect(indexed.table).toBe(terms);
    expect([0, 1, 2].map((position) => indexed.documentAt(position))).toEqual([undefined, 1, 0]);
    expect([0, 1].map((document) => indexed.question(document))).toEqual([
      'Will event 1 happen?',
      'Will event 2 happen?',
    ]);
  });
});
