import type { RangeQuery } from '../../../../lambda/io/snapshots/range-query.ts';
import type { StoredPriceItem } from '../../../../lambda/io/snapshots/stored-prices.ts';

/** A logger that drops every line. */
export const silent = { info() {}, warn() {}, error() {} };

/**
 * The refresher's table of past prices, in memory. A partition (`SAMPLE`, `BACKFILL_DAY`,
 * `BACKFILL_MONTH`) has items with a number `n`, and a query returns them by that number.
 */
export class FakeStore {
  /** While it is true, all calls fail. */
  broken = false;
  /** The number of items that a query yields before it fails. */
  failsAfter = Number.POSITIVE_INFINITY;
  /** The queries so far. */
  readonly queries: { partition: string; from: number; deadline: number }[] = [];
  /** The items by partition. */
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
    const items = this.items.get(partition) ?? [];
    const found = items.filter(({ n }) => from <= n && n <= to).sort((a, b) => a.n - b.n);
    if (newestFirst) found.reverse();
    let yielded = 0;
    for (const item of found.slice(0, firstOnly ? 1 : undefined)) {
      if (yielded === this.failsAfter) throw new Error('The table does not respond in time');
      yield item;
      yielded += 1;
    }
  }

  #check(): void {
    if (this.broken) throw new Error('The table does not respond');
  }
}
