import type { ColumnName } from './columns.ts';
import { type MarketFilter, matching } from './market-filter.ts';
import type { MarketTable } from './market-table.ts';
import type { Direction } from './orders.ts';

/** What markets are sorted by. `relevance` is the order in which the search found them. */
export type SortName = ColumnName | 'relevance';

export interface MarketQuery {
  readonly filter: MarketFilter;
  /** Condition ids, slugs or tokens; unknown ones are left out. */
  readonly ids?: readonly string[] | undefined;
  /** Undefined: the order of `ids` or of the search where there is one, else the list's own. */
  readonly sort?: SortName | undefined;
  /** Undefined: the usual way round for the sort. */
  readonly direction?: Direction | undefined;
}

/** Sorts of which the smallest value is the one looked for. */
const ASCENDING: readonly SortName[] = ['endDate', 'spread'];

/**
 * The positions of the markets that a query asks for, in its order.
 *
 * @param found positions in the order of the search, where there was one
 * @param asOf time of the data in ms
 */
export function select(
  table: MarketTable,
  query: MarketQuery,
  asOf: number,
  found?: readonly number[],
): ArrayLike<number> {
  const { filter, ids, sort = impliedSort(query, found) } = query;
  const mask = matching(table, filter, asOf);
  const listed = ids && positionsOf(table, ids);
  const given = listed && found ? intersection(found, listed) : (found ?? listed);
  const direction = query.direction ?? (sort && ASCENDING.includes(sort) ? 'asc' : 'desc');
  if (sort === undefined || sort === 'relevance') {
    if (!given) return mask ? kept(table.positions(), mask) : table.positions();
    const ordered = sort === 'relevance' && direction === 'asc' ? given.toReversed() : given;
    return mask ? ordered.filter((position) => mask[position] === 1) : ordered;
  }
  const order = table.order(sort)[direction];
  const wanted = given ? masked(table.length, given, mask) : mask;
  return wanted ? kept(order, wanted) : order;
}

/** A direction alone turns round what is usual: the order of the search, else the list's. That of `ids` stays. */
function impliedSort({ ids, direction }: MarketQuery, found?: readonly number[]): SortName | undefined {
  if (direction === undefined) return undefined;
  if (found) return 'relevance';
  return ids ? undefined : 'volume';
}

function positionsOf(table: MarketTable, names: readonly string[]): number[] {
  return [...new Set(names.flatMap((name) => table.find(name) ?? []))];
}

function intersection(ordered: readonly number[], others: readonly number[]): number[] {
  const wanted = new Set(others);
  return ordered.filter((position) => wanted.has(position));
}

function masked(length: number, positions: readonly number[], mask: Uint8Array | undefined): Uint8Array {
  const found = new Uint8Array(length);
  for (const position of positions) found[position] = mask ? (mask[position] ?? 0) : 1;
  return found;
}

function kept(order: Uint32Array, mask: Uint8Array): Uint32Array {
  const found = new Uint32Array(order.length);
  let count = 0;
  for (const position of order) {
    if (mask[position] === 1) {
      found[count] = position;
      count += 1;
    }
  }
  return found.subarray(0, count);
}
