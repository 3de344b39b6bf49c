import { byVolume } from '../domain/market.ts';
import { BasedNumbers, BasedTable } from './based-table.ts';
import { type ByteReader, ByteWriter, unzigzag, zigzag } from './bytes.ts';

import { COLUMNS, type NumberName, writeDifferences } from './columns.ts';
import { at, picked, type StoredMarkets } from './stored-markets.ts';
import { columnOf, readTable, type StoredTable, writeTable } from './stored-table.ts';

/** How a list of markets differs from a base: markets that are gone, markets with another text, and all numbers. */
export interface Delta {
  readonly list: StoredMarkets;
  /** Positions in the base, ascending. */
  readonly removed: readonly number[];
  /** Positions in the list of the markets that the base does not have. */
  readonly added: readonly number[];
  /** Where each market of the list stands: in the base, or after it among the added ones. */
  readonly places: readonly number[];
}

/** @param list in list order */
export function deltaOf(base: StoredMarkets, list: StoredMarkets): Delta {
  const positions = new Map(indexes(base.length).map((n) => [base.text(n), n]));
  const added: number[] = [];
  const kept = new Set<number>();
  const places = indexes(list.length).map((position) => {
    const place = positions.get(list.text(position));
    if (place === undefined) return base.length + added.push(position) - 1;
    kept.add(place);
    return place;
  });
  return { list, removed: indexes(base.length).filter((n) => !kept.has(n)), added, places };
}

/** How much of the list a base does not have, and of the base the list: 0 to 2. */
export function differenceShare(base: StoredMarkets, { removed, added }: Delta): number {
  return (removed.length + added.length) / Math.max(1, base.length);
}

/** Not compressed: the whole is, afterwards. */
const uncompressed = (bytes: Uint8Array): Uint8Array => bytes;

/** Each column is a piece of its own, so that a reader can pass over it. */
export function writeDelta(writer: ByteWriter, base: StoredMarkets, delta: Delta): void {
  const { list, removed, added, places } = delta;
  writer.varint(removed.length);
  for (const [n, position] of removed.entries()) writer.varint(position - (removed[n - 1] ?? -1) - 1);
  writeTable(writer, picked(list, added), uncompressed);
  for (const [name, perUnit] of COLUMNS) {
    const before = columnOf(base, name);
    const now = before.slice(); // what is gone does not differ
    places.forEach((place, position) => {
      if (place < base.length) now[place] = list.number(name, position) ?? Number.NaN;
    });
    const piece = new ByteWriter();
    writeDifferences(piece, now, before, perUnit);
    writer.bytes(piece.take());
  }
  const asUsual = isByVolume(list);
  writer.varint(asUsual ? 0 : 1);
  // Each place is near the one before it: lists are sorted by what hardly changes.
  if (asUsual) return;
  for (const [n, place] of places.entries()) writer.varint(zigzag(place - (places[n - 1] ?? 0)));
}

/** The markets in list order. @throws RangeError when the bytes are not a delta to this base */
export function readDelta(reader: ByteReader, base: StoredTable): BasedTable {
  const removed = new Set<number>();
  let position = -1;
  for (let left = reader.varint(); left > 0; left--) {
    position += 1 + reader.varint();
    removed.add(position);
  }
  const added = readTable(reader, uncompressed);
  const numbers = new BasedNumbers(
    base,
    added,
    // As many as the base has: the refresher counts from no base of other columns.
    new Map(COLUMNS.slice(0, base.columns).map(([name]): [NumberName, Uint8Array] => [name, reader.bytes()])),
  );
  const listed = indexes(base.length + added.length).filter((place) => !removed.has(place));
  const places =
    reader.varint() === 0 ? byVolumeAndId(listed, base, added, numbers) : listed.map(nextPlace());
  return new BasedTable({ base, added, numbers, places });

  function nextPlace(): () => number {
    let place = 0;
    return () => {
      place += unzigzag(reader.varint());
      return place;
    };
  }
}

/** The usual order of a list, so that it need not be stored. */
function byVolumeAndId(
  places: readonly number[],
  base: StoredTable,
  added: StoredTable,
  numbers: BasedNumbers,
): number[] {
  const volumes = numbers.column('volume');
  const idOf = (place: number) =>
    place < base.length ? base.facts(place).id : added.facts(place - base.length).id;
  return places.toSorted((a, b) => {
    const difference = at(volumes, b) - at(volumes, a);
    if (difference !== 0) return difference;
    return idOf(a) < idOf(b) ? -1 : 1; // ids are read where they are needed: of equal volumes
  });
}

function isByVolume(list: StoredMarkets): boolean {
  const key = (position: number) => ({
    id: list.facts(position).id,
    volume: list.number('volume', position) ?? 0,
  });
  return indexes(list.length)
    .slice(1)
    .every((position) => byVolume(key(position - 1), key(position)) < 0);
}

function indexes(length: number): number[] {
  return Array.from({ length }, (_, n) => n);
}
