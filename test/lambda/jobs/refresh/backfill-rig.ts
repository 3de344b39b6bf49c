import type { ChangeWindow } from '../../../../lambda/core/domain/change.ts';
import type { PricePoint } from '../../../../lambda/core/domain/price-history.ts';
import { priceKey } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { BackfillStore } from '../../../../lambda/jobs/refresh/backfill.ts';
import { FakeStore, silent } from './fake-store.ts';

/** Unix seconds. */
export const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
export const HOUR = 3_600;
export const DAY = 24 * HOUR;
/**
 * The backfill keeps upstream's prices of two spans: 36 hours for the changes of an hour and a day,
 * 30.5 days for those of 7 and 30 days. Both begin 12 hours before their longest window, and end
 * now.
 */
export const DAY_FROM = NOW - 36 * HOUR;
export const MONTH_FROM = NOW - 30.5 * DAY;
/** Two tokens. Most tests have prices of the first one only. */
export const [KEY, OTHER] = ['a', 'b'].map(priceKey) as [string, string];
/** A deadline that never comes. */
const LATER = Number.MAX_SAFE_INTEGER;

/** A backfill, the store of upstream's price histories, of one container. Times are Unix seconds. */
class Container extends BackfillStore {
  recordDay(points: readonly PricePoint[], key = KEY, until = NOW): void {
    this.recordHistory('day', key, { from: until - 36 * HOUR, until, points });
  }

  recordMonth(points: readonly PricePoint[]): void {
    this.recordHistory('month', KEY, { from: MONTH_FROM, until: NOW, points });
  }

  /** The price at the start of a window that ends at this time. */
  priceAt(seconds = NOW, window: ChangeWindow = 'oneDay', key = KEY): number | null | undefined {
    return this.startPrice(key, window, seconds * 1_000)?.price;
  }

  coversAt(seconds: number, window: ChangeWindow = 'oneDay', key = KEY): boolean {
    return this.covers(key, window, seconds * 1_000);
  }

  /** Loads what the table has of these markets. @param listed @default all */
  async loadAt(seconds = NOW, ...listed: string[]): Promise<void> {
    await this.load(listed.length > 0 ? new Set(listed) : undefined, seconds * 1_000, LATER);
  }

  async saveAt(seconds = NOW): Promise<void> {
    await this.save(seconds * 1_000, LATER);
  }
}

/**
 * An empty table, a backfill, and a function that makes another one for the same table. For
 * example, the price of yesterday reaches the other container:
 *
 *     const { backfill, other } = backfillRig();
 *     backfill.recordDay([{ t: NOW - DAY, p: 0.3 }]);
 *     await backfill.saveAt();
 *     const reader = other();
 *     await reader.loadAt();
 *     expect(reader.priceAt()).toBe(0.3);
 */
export function backfillRig() {
  const store = new FakeStore();
  const other = () => new Container(store, silent);
  return { store, backfill: other(), other };
}

export const at = (t: number, p: number): PricePoint => ({ t, p });

/** A point each `step` seconds. The price is the share of the span that has passed. */
export function risingHistory(from: number, until: number, step: number): PricePoint[] {
  const count = Math.floor((until - from) / step) + 1;
  return Array.from({ length: count }, (_, n) => at(from + n * step, n / count));
}
