import type { Quota } from './usage-plans.ts';

const DAY_MS = 86_400_000;

/** Counts the requests of one key against a plan's quota; periods begin at 00:00 UTC, weeks on Monday. */
export class QuotaCounter {
  readonly #quota: Quota;
  readonly #now: () => number;
  #period: string;
  #used: number;

  /** @param now milliseconds since 1970 */
  constructor(quota: Quota, now: () => number) {
    this.#quota = quota;
    this.#now = now;
    this.#period = periodAt(now(), quota.period);
    this.#used = quota.offset;
  }

  get exceeded(): boolean {
    const period = periodAt(this.#now(), this.#quota.period);
    if (period !== this.#period) {
      this.#period = period;
      this.#used = 0;
    }
    return this.#used >= this.#quota.limit;
  }

  count(): void {
    this.#used += 1;
  }
}

function periodAt(time: number, period: Quota['period']): string {
  if (period === 'MONTH') return new Date(time).toISOString().slice(0, 7);
  const day = Math.floor(time / DAY_MS);
  // 1970-01-01 was a Thursday: three days on, weeks begin on a Monday.
  return period === 'DAY' ? `day ${day}` : `week ${Math.floor((day + 3) / 7)}`;
}
