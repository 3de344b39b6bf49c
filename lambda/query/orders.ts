import type { Column } from './columns.ts';

export type Direction = 'asc' | 'desc';

/** Positions in one order, both ways round. */
export type Orders = Readonly<Record<Direction, Uint32Array>>;

/**
 * The positions by a column. Equal values are in list order (volume, then id) both ways, and markets without a value
 * come last both ways.
 */
export function ordersBy(column: Column): Orders {
  const without: number[] = [];
  const having: number[] = [];
  for (let position = 0; position < column.length; position += 1) {
    (Number.isNaN(column[position]) ? without : having).push(position);
  }
  const ascending = Uint32Array.from(having).sort((a, b) => at(column, a) - at(column, b) || a - b);
  return {
    asc: followedBy(ascending, without),
    desc: followedBy(turned(ascending, column), without),
  };
}

/** The other way round, with runs of equal values left as they are: a second sort would cost as much as the first. */
function turned(ascending: Uint32Array, column: Column): Uint32Array {
  const found = new Uint32Array(ascending.length);
  let written = 0;
  for (let end = ascending.length; end > 0; ) {
    let start = end - 1;
    const value = at(column, ascending[start] ?? 0);
    while (start > 0 && at(column, ascending[start - 1] ?? 0) === value) start -= 1;
    found.set(ascending.subarray(start, end), written);
    written += end - start;
    end = start;
  }
  return found;
}

function followedBy(first: Uint32Array, rest: readonly number[]): Uint32Array {
  const all = new Uint32Array(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return all;
}

function at(column: Column, position: number): number {
  return column[position] ?? Number.NaN;
}
