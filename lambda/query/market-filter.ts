import type { CategoryName } from '../contract/categories.ts';
import type { Moment } from '../contract/parameters.ts';
import { timeOf } from '../domain/moment.ts';
import { setOf } from '../search/category-members.ts';
import type { ColumnName } from './columns.ts';
import type { MarketTable } from './market-table.ts';

/** What a market must fulfil; everything that is left out is fulfilled. Numbers are in the units of the fields. */
export interface MarketFilter {
  readonly category?: CategoryName | undefined;
  /** Any of these tag slugs, in any case. */
  readonly tag?: readonly string[] | undefined;
  /** Event slug. */
  readonly event?: string | undefined;
  readonly minVolume?: number | undefined;
  readonly minVolume24h?: number | undefined;
  readonly minLiquidity?: number | undefined;
  readonly maxSpread?: number | undefined;
  readonly minProbability?: number | undefined;
  readonly maxProbability?: number | undefined;
  readonly minMove1d?: number | undefined;
  /** At this time or later. */
  readonly endsAfter?: Moment | undefined;
  /** Before this time. */
  readonly endsBefore?: Moment | undefined;
}

type Bound = 'min' | 'max' | 'below';

const NUMBERS = [
  ['minVolume', 'volume', 'min'],
  ['minVolume24h', 'volume24h', 'min'],
  ['minLiquidity', 'liquidity', 'min'],
  ['maxSpread', 'spread', 'max'],
  ['minProbability', 'probability', 'min'],
  ['maxProbability', 'probability', 'max'],
  ['minMove1d', 'move1d', 'min'],
] as const satisfies (readonly [keyof MarketFilter, ColumnName, Bound])[];

/**
 * The markets that fulfil all of a filter, by position: 1 where one does. Undefined when nothing is asked.
 *
 * @param asOf time of the data in ms, from which relative moments count
 */
export function matching(table: MarketTable, filter: MarketFilter, asOf: number): Uint8Array | undefined {
  const { category, tag, event, endsAfter, endsBefore } = filter;
  let mask: Uint8Array | undefined;
  const keep = (keeps: (mask: Uint8Array) => void) => {
    mask ??= new Uint8Array(table.length).fill(1);
    keeps(mask);
  };
  for (const [name, column, bound] of NUMBERS) {
    const limit = filter[name];
    if (limit !== undefined) keep(keepBounded(table, column, bound, limit));
  }
  if (endsAfter) keep(keepBounded(table, 'endDate', 'min', timeOf(endsAfter, asOf)));
  if (endsBefore) keep(keepBounded(table, 'endDate', 'below', timeOf(endsBefore, asOf)));
  if (category !== undefined) keep(keepCategory(table, category));
  if (event !== undefined) keep(keepListed(table.byEvent().get(event) ?? []));
  if (tag) keep(keepListed(tag.flatMap((slug) => table.byTag().get(slug.toLowerCase()) ?? [])));
  return mask;
}

/** A market without the number does not fulfil any bound: NaN compares with nothing. */
function keepBounded(table: MarketTable, name: ColumnName, bound: Bound, limit: number) {
  const column = table.column(name);
  return (mask: Uint8Array): void => {
    for (let position = 0; position < mask.length; position += 1) {
      const value = column[position] ?? Number.NaN;
      const keeps = bound === 'min' ? value >= limit : bound === 'max' ? value <= limit : value < limit;
      if (!keeps) mask[position] = 0;
    }
  };
}

function keepCategory(table: MarketTable, name: CategoryName) {
  const categories = table.categories();
  const bit = setOf(name);
  return (mask: Uint8Array): void => {
    for (let position = 0; position < mask.length; position += 1) {
      if (((categories[position] ?? 0) & bit) === 0) mask[position] = 0;
    }
  };
}

function keepListed(positions: readonly number[]) {
  return (mask: Uint8Array): void => {
    const before = mask.slice();
    mask.fill(0);
    for (const position of positions) mask[position] = before[position] ?? 0;
  };
}
