import { byVolume } from '../domain/market.ts';
import { type ByteReader, type ByteWriter, unzigzag, zigzag } from './bytes.ts';
import {
  columnsFrom,
  emptyTable,
  type MarketTable,
  readColumns,
  readTable,
  writeColumns,
  writeTable,
} from './market-table.ts';

/** How a list of markets differs from a base: markets that are gone, markets with another text, and all numbers. */
export interface Delta {
  /** Positions in the base, ascending. */
  readonly removed: readonly number[];
  readonly added: MarketTable;
  /** The markets of the base that stay, in its order, with the numbers of now. */
  readonly kept: MarketTable;
  /** Where each market of the list stands among `kept` and, after it, `added`. */
  readonly order: readonly number[];
}

/** @param table in list order */
export function deltaOf(base: MarketTable, table: MarketTable): Delta {
  const positions = new Map(table.texts.map((text, position) => [text, position]));
  const removed: number[] = [];
  const kept: number[] = [];
  base.texts.forEach((text, n) => {
    const position = positions.get(text);
    if (position === undefined) removed.push(n);
    else {
      kept.push(position);
      positions.delete(text);
    }
  });
  const added = [...positions.values()];
  const places = new Map([...kept, ...added].map((position, place) => [position, place]));
  return {
    removed,
    added: pick(table, added),
    kept: pick(table, kept),
    order: table.texts.map((_, position) => places.get(position) ?? 0),
  };
}

/** How much of the list a base does not have, and of the base the list: 0 to 2. */
export function differenceShare(base: MarketTable, { removed, added }: Delta): number {
  return (removed.length + added.texts.length) / Math.max(1, base.texts.length);
}

export function writeDelta(writer: ByteWriter, base: MarketTable, delta: Delta): void {
  const { removed, added, kept, order } = delta;
  writer.varint(removed.length);
  for (const [n, position] of removed.entries()) writer.varint(position - (removed[n - 1] ?? -1) - 1);
  writeTable(writer, added);
  writeColumns(writer, kept, without(base, removed));
  const usual = usualOrder(joined(kept, added));
  const asUsual = order.every((place, n) => place === usual[n]);
  writer.varint(asUsual ? 0 : 1);
  // Each place is near the one before it: lists are sorted by what hardly changes.
  if (asUsual) return;
  for (const [n, place] of order.entries()) writer.varint(zigzag(place - (order[n - 1] ?? 0)));
}

/** The markets in list order. @throws Error when the bytes are not a delta to this base */
export function readDelta(reader: ByteReader, base: MarketTable): MarketTable {
  const removed: number[] = [];
  for (let left = reader.varint(); left > 0; left--)
    removed.push((removed.at(-1) ?? -1) + 1 + reader.varint());
  const added = readTable(reader);
  const before = without(base, removed);
  const kept = { ...before, columns: readColumns(reader, before.columns) };
  const all = joined(kept, added);
  if (reader.varint() === 0) return pick(all, usualOrder(all));
  let place = 0;
  const order = all.texts.map(() => {
    place += unzigzag(reader.varint());
    return place;
  });
  return pick(all, order);
}

/** By volume, ties by id: the order of the list, so that it need not be stored. */
function usualOrder({ facts, columns }: MarketTable): number[] {
  const keys = facts.map(({ id }, n) => ({ id, volume: columns.volume[n] ?? 0, n }));
  return keys.sort(byVolume).map(({ n }) => n);
}

function without(table: MarketTable, removed: readonly number[]): MarketTable {
  if (removed.length === 0) return table;
  const gone = new Set(removed);
  return pick(
    table,
    table.texts.flatMap((_, n) => (gone.has(n) ? [] : [n])),
  );
}

function pick(table: MarketTable, positions: readonly number[]): MarketTable {
  if (positions.length === 0) return emptyTable();
  return {
    texts: positions.map((position) => table.texts[position] ?? ''),
    facts: positions.flatMap((position) => table.facts[position] ?? []),
    columns: columnsFrom((name) => positions.map((position) => table.columns[name][position])),
  };
}

function joined(first: MarketTable, second: MarketTable): MarketTable {
  return {
    texts: [...first.texts, ...second.texts],
    facts: [...first.facts, ...second.facts],
    columns: columnsFrom((name) => [...first.columns[name], ...second.columns[name]]),
  };
}
