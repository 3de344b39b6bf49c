import type { MarketField } from '../contract/market-schemas.ts';
import { isConditionId, paddedConditionId } from '../domain/condition-id.ts';
import type { MarketRecord } from '../domain/market.ts';
import { MarketList } from '../domain/market-list.ts';
import { longestRow } from '../domain/row-bound.ts';
import type { CategorySet } from '../search/category-members.ts';
import { categoriesOf } from './category-rule.ts';
import { type Column, type ColumnName, readColumn } from './columns.ts';
import { fieldOf, type MarketFields, pickFields } from './fields.ts';
import { type Orders, ordersBy } from './orders.ts';

/** The markets of a list, each made when it is asked for, or an array of them. */
export interface Markets extends Iterable<MarketRecord> {
  readonly length: number;
  at(position: number): MarketRecord | undefined;
}

/**
 * The markets of one snapshot, to be asked: numbers as columns, orders as permutations of the positions, the default list
 * as encoded lines. Each of them is made for the first request that wants it: made all at once, they were a quarter of a
 * cold start, and most requests want none of them. A position is a market's place in the default list, so it is also how
 * ties end.
 */
export class MarketTable {
  readonly markets: Markets;
  /** The default list, encoded when it is first asked for. */
  readonly list: MarketList;
  readonly #columns = new Map<ColumnName, Column>();
  readonly #orders = new Map<ColumnName, Orders>();
  #categories: Uint8Array | undefined;
  #byTag: ReadonlyMap<string, readonly number[]> | undefined;
  #byEvent: ReadonlyMap<string, readonly number[]> | undefined;
  #byName: ReadonlyMap<string, number> | undefined;
  #longestRow: number | undefined;
  #positions: Uint32Array | undefined;

  /**
   * @param markets in list order
   * @param known their default lines, and bytes that no row is longer than (`rowBound`), where there are such already
   */
  constructor(markets: Markets, known?: { readonly list: MarketList; readonly longestRow: number }) {
    this.markets = markets;
    this.#longestRow = known?.longestRow;
    this.list = known?.list ?? MarketList.of(markets.length, (position) => this.market(position));
  }

  get length(): number {
    return this.markets.length;
  }

  /** All positions, in the list's own order. */
  positions(): Uint32Array {
    this.#positions ??= Uint32Array.from({ length: this.length }, (_, position) => position);
    return this.#positions;
  }

  column(name: ColumnName): Column {
    const known = this.#columns.get(name) ?? readColumn(this.markets, name);
    this.#columns.set(name, known);
    return known;
  }

  order(name: ColumnName): Orders {
    const known = this.#orders.get(name) ?? ordersBy(this.column(name));
    this.#orders.set(name, known);
    return known;
  }

  /** By position. */
  categories(): Readonly<Uint8Array> {
    this.#categories ??= Uint8Array.from(this.markets, ({ question, tags }) => categoriesOf(question, tags));
    return this.#categories;
  }

  /** Positions by tag slug in lower case, in list order. */
  byTag(): ReadonlyMap<string, readonly number[]> {
    this.#byTag ??= positionsBy(this.markets, ({ tags }) => new Set(tags.map((tag) => tag.toLowerCase())));
    return this.#byTag;
  }

  /** Positions by event slug, in list order. */
  byEvent(): ReadonlyMap<string, readonly number[]> {
    this.#byEvent ??= positionsBy(this.markets, ({ eventSlug }) =>
      eventSlug === undefined ? [] : [eventSlug],
    );
    return this.#byEvent;
  }

  /** The position of a market by its condition id in any form, its slug or any of its tokens. */
  find(name: string): number | undefined {
    return this.#names().get(isConditionId(name) ? paddedConditionId(name) : name);
  }

  /** Bytes that no row is longer than, however it is written: far more than nearly all of them take. */
  longestRow(): number {
    this.#longestRow ??= longestRow(this.markets);
    return this.#longestRow;
  }

  /** Some of a market's fields. */
  pick(position: number, names: readonly MarketField[]): MarketFields {
    return pickFields(this.market(position), this.#bits(position), names);
  }

  field(position: number, name: MarketField): unknown {
    return fieldOf(this.market(position), this.#bits(position), name);
  }

  /** @throws RangeError */
  market(position: number): MarketRecord {
    const market = this.markets.at(position);
    if (!market) throw new RangeError(`There is no market ${position}`);
    return market;
  }

  #bits(position: number): CategorySet {
    return this.categories()[position] ?? 0;
  }

  #names(): ReadonlyMap<string, number> {
    if (!this.#byName) {
      const names = new Map<string, number>();
      // Backwards, so that of two markets with one slug the larger is found; ids last: no slug may hide one.
      for (let position = this.length - 1; position >= 0; position -= 1) {
        const { slug, outcomes, clobTokenId } = this.market(position);
        if (slug !== undefined) names.set(slug, position);
        for (const { tokenId } of outcomes) names.set(tokenId, position);
        names.set(clobTokenId, position);
      }
      let position = 0;
      for (const { id } of this.markets) {
        names.set(paddedConditionId(id), position);
        position += 1;
      }
      this.#byName = names;
    }
    return this.#byName;
  }
}

/** What the functions make of a snapshot when they load it. */
export function marketTable(snapshot: {
  readonly records: Markets;
  readonly list: MarketList;
  readonly table: { readonly longestRow: number };
}): MarketTable {
  const { records, list, table } = snapshot;
  return new MarketTable(records, { list, longestRow: table.longestRow });
}

function positionsBy(
  markets: Markets,
  keysOf: (market: MarketRecord) => Iterable<string>,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  let position = 0;
  for (const market of markets) {
    for (const key of keysOf(market)) {
      const positions = found.get(key);
      if (positions) positions.push(position);
      else found.set(key, [position]);
    }
    position += 1;
  }
  return found;
}
