import { mix, unit } from '../dataset/hash.ts';
import type { Filterable, MarketSource, OrderField } from '../source.ts';

/** What a catalogue request asks for. An empty `order` is by id, ascending. */
export interface Listing {
  readonly order: readonly OrderField[];
  readonly ascending: boolean;
  readonly matches: (market: Filterable) => boolean;
  readonly limit: number;
}

export interface Page {
  readonly indices: readonly number[];
  /** Sort values of the last market of the page, its id last; undefined on the last page. */
  readonly next: readonly (number | string)[] | undefined;
}

/** The markets of a source in any order, page by page. Paging goes by sort values, so that it is stable. */
export class Catalogue {
  readonly #source: MarketSource;
  readonly #sorted = new Map<string, readonly number[]>();
  #share = 1;

  constructor(source: MarketSource) {
    this.#source = source;
  }

  get share(): number {
    return this.#share;
  }

  /** Keeps a share of the markets in the catalogue, the same ones each time; their tokens stay known. */
  keepShare(share: number): void {
    this.#share = share;
    this.#sorted.clear();
  }

  resize(markets: number): boolean {
    if (this.#source.resize === undefined) return false;
    this.#source.resize(markets);
    this.#sorted.clear();
    return true;
  }

  get size(): number {
    return this.#indices([], true).length;
  }

  /** The page after the market with these sort values, or the first page. */
  after(position: readonly (number | string)[] | undefined, listing: Listing): Page {
    const sorted = this.#indices(listing.order, listing.ascending);
    return this.#walk(
      sorted,
      position === undefined ? 0 : this.#placeAfter(sorted, position, listing),
      listing,
    );
  }

  /** The page that starts `offset` matching markets into the list. */
  at(offset: number, listing: Listing): readonly number[] {
    const sorted = this.#indices(listing.order, listing.ascending);
    return this.#walk(sorted, 0, { ...listing, limit: offset + listing.limit }).indices.slice(offset);
  }

  #walk(sorted: readonly number[], start: number, listing: Listing): Page {
    const indices: number[] = [];
    for (let i = start; i < sorted.length; i++) {
      const index = sorted[i] ?? 0;
      if (!listing.matches(this.#source.filterable(index))) continue;
      if (indices.length === listing.limit)
        return { indices, next: this.#values(indices.at(-1) ?? 0, listing.order) };
      indices.push(index);
    }
    return { indices, next: undefined };
  }

  #indices(order: readonly OrderField[], ascending: boolean): readonly number[] {
    const name = `${order.join()} ${ascending}`;
    const known = this.#sorted.get(name);
    if (known !== undefined) return known;
    const rows: { index: number; values: readonly (number | string)[] }[] = [];
    for (let index = 0; index < this.#source.size; index++) {
      if (unit(mix(index, 0x5a4e)) < this.#share) rows.push({ index, values: this.#values(index, order) });
    }
    rows.sort((a, b) => compare(a.values, b.values, ascending));
    const sorted = rows.map((row) => row.index);
    this.#sorted.set(name, sorted);
    return sorted;
  }

  #placeAfter(sorted: readonly number[], position: readonly (number | string)[], listing: Listing): number {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      const values = this.#values(sorted[mid] ?? 0, listing.order);
      if (compare(values, position, listing.ascending) <= 0) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  #values(index: number, order: readonly OrderField[]): readonly (number | string)[] {
    return [
      ...order.map((field) => this.#source.sortValue(index, field)),
      this.#source.sortValue(index, 'id'),
    ];
  }
}

function compare(
  a: readonly (number | string)[],
  b: readonly (number | string)[],
  ascending: boolean,
): number {
  for (let i = 0; i < a.length; i++) {
    const left = a[i] ?? 0;
    const right = b[i] ?? 0;
    if (left === right) continue;
    return left < right === ascending ? -1 : 1;
  }
  return 0;
}
