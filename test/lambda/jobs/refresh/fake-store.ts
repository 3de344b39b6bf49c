import type { RangeQuery } from '../../../../lambda/io/snapshots/range-query.ts';
import type { StoredPriceItem } from '../../../../lambda/io/snapshots/stored-prices.ts';

/** A logger that drops every line. */
export const silent = { info() {}, warn() {}, error() {} };

/** The items of samples and backfill in memory. Set `broken` to let all calls fail. */
export class FakeStore {
  broken = false;
  /** Items that a query yields before it fails. */
  failsAfter = Number.POSITIVE_INFINITY;
  readonly queries: { partition: string; from: number; deadline: number }[] = [];
  readonly items = new Map<string, StoredPriceItem[]>();

  async put(partition: string, item: StoredPriceItem): Promise<void> {
    this.#check();
    this.items.set(partition, [...(this.items.get(partition) ?? []), item]);
  }

  async *query(
    partition: string,
    { from = 0, to = Number.MAX_SAFE_INTEGER, newestFirst, firstOnly }: RangeQuery,
    deadline: number,
  ) {
    this.queries.push({ partition, from, deadline });
    this.#check();
    const found = (this.items.get(partition) ?? [])
      .filter(({ n }) => from <= n && n <= to)
      .sort((a, b) => a.n - b.n);
    if (newestFirst) found.reverse();
    for (const [n, item] of found.slice(0, firstOnly ? 1 : undefined).entries()) {
      if (n === this.failsAfter) throw new Error('The table does not respond in time');
      yield item;
    }
  }

  #check(): void {
    if (this.broken) throw new Error('The table does not respond');
  }
}
