import { mix, unit } from '../dataset/hash.ts';

type SortValue = number | string;

/** What a listing sorts: markets or events, by index. */
export interface Collection {
  readonly size: number;
  sortValue(index: number, field: string): SortValue;
}

/** A filter with a name: the same name stands for the same filter. */
export interface Filter {
  readonly name: string;
  readonly matches: (index: number) => boolean;
}

/** What a listing asks for. An empty `order` is by id, ascending. */
export interface Listing {
  readonly order: readonly string[];
  readonly ascending: boolean;
  readonly filter: Filter;
  readonly limit: number;
}

export interface Page {
  readonly indices: readonly number[];
  /** Sort values of the last item of a full page, its id last; undefined where the page is not full. */
  readonly next: readonly SortValue[] | undefined;
}

/** Lists kept: a crawl in bands asks for as many as it has bands. */
const KEPT_LISTS = 64;

/** The items of a collection in any order, page by page. Paging goes by sort values, so that it is stable. */
export class Catalogue {
  readonly #collection: Collection;
  readonly #sorted = new Map<string, readonly number[]>();
  readonly #filtered = new Map<string, readonly number[]>();
  #share = 1;

  constructor(collection: Collection) {
    this.#collection = collection;
  }

  /** Keeps a share of the items in the catalogue, the same ones each time. */
  keepShare(share: number): void {
    this.#share = share;
    this.changed();
  }

  /** To call when sizes, sort values or filters' facts are not what they were. */
  changed(): void {
    this.#sorted.clear();
    this.#filtered.clear();
  }

  get size(): number {
    return this.#sortedBy([], true).length;
  }

  /** The page after the item with these sort values, or the first page. */
  after(position: readonly SortValue[] | undefined, listing: Listing): Page {
    const list = this.#list(listing);
    const start = position === undefined ? 0 : this.#placeAfter(list, position, listing);
    const indices = list.slice(start, start + listing.limit);
    // As upstream does: a full page has a cursor, even where nothing comes after it.
    const full = indices.length === listing.limit;
    return { indices, next: full ? this.#values(indices.at(-1) ?? 0, listing.order) : undefined };
  }

  /** The page that starts `offset` matching items into the list. */
  at(offset: number, listing: Listing): readonly number[] {
    return this.#list(listing).slice(offset, offset + listing.limit);
  }

  #list({ order, ascending, filter }: Listing): readonly number[] {
    const name = `${order.join()} ${ascending} ${filter.name}`;
    const known = this.#filtered.get(name);
    if (known !== undefined) return known;
    const list = this.#sortedBy(order, ascending).filter(filter.matches);
    if (this.#filtered.size >= KEPT_LISTS) this.#filtered.clear();
    this.#filtered.set(name, list);
    return list;
  }

  #sortedBy(order: readonly string[], ascending: boolean): readonly number[] {
    const name = `${order.join()} ${ascending}`;
    const known = this.#sorted.get(name);
    if (known !== undefined) return known;
    const rows: { index: number; values: readonly SortValue[] }[] = [];
    for (let index = 0; index < this.#collection.size; index++) {
      if (unit(mix(index, 0x5a4e)) < this.#share) rows.push({ index, values: this.#values(index, order) });
    }
    rows.sort((a, b) => compare(a.values, b.values, ascending));
    const sorted = rows.map((row) => row.index);
    this.#sorted.set(name, sorted);
    return sorted;
  }

  #placeAfter(list: readonly number[], position: readonly SortValue[], listing: Listing): number {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      const values = this.#values(list[mid] ?? 0, listing.order);
      if (compare(values, position, listing.ascending) <= 0) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  #values(index: number, order: readonly string[]): readonly SortValue[] {
    return [...order, 'id'].map((field) => this.#collection.sortValue(index, field));
  }
}

function compare(a: readonly SortValue[], b: readonly SortValue[], ascending: boolean): number {
  for (let i = 0; i < a.length; i++) {
    const left = a[i] ?? 0;
    const right = b[i] ?? 0;
    if (left === right) continue;
    return left < right === ascending ? -1 : 1;
  }
  return 0;
}
