import { type ChangeWindow, pointsBetween } from '../../core/domain/change.ts';
import type { Market, PricedMarket } from '../../core/domain/market.ts';
import { optional } from '../../core/domain/values.ts';
import type { Backfill, HistoryKind } from './backfill.ts';
import type { Samples } from './samples.ts';
import { priceKey } from './stored-prices.ts';

const WINDOWS_OF = { day: ['oneDay'], month: ['sevenDay', 'thirtyDay'] } as const;
/** How long the table may delay a run. Without the table, the first run of a container has no changes. */
const LOAD_TIMEOUT_MS = { first: 5_000, later: 2_000 } as const;
/** Seconds. Samples are normally ten minutes apart: an older one lies before a gap. */
const MAX_SAMPLE_AGE = 900;

/** The prices at the starts of the windows, by the service's own samples, otherwise by the backfill. */
export class StartPrices {
  readonly samples: Samples;
  readonly backfill: Backfill;
  #isWarm = false;

  constructor(samples: Samples, backfill: Backfill) {
    this.samples = samples;
    this.backfill = backfill;
  }

  /** Reads what other runs have stored. Never throws. @param now Unix ms @param end of the run, Unix ms */
  async load(newest: readonly Market[] | undefined, now: number, end: number): Promise<void> {
    const deadline = Math.min(end, now + LOAD_TIMEOUT_MS[this.#isWarm ? 'later' : 'first']);
    this.#isWarm = true;
    const listed = newest && new Set(newest.map(({ clobTokenId }) => priceKey(clobTokenId)));
    await Promise.all([this.samples.load(now, deadline), this.backfill.load(listed, now, deadline)]);
  }

  /** An unknown 1-day change is null, and the others are absent. @param asOf time of the midpoint, Unix ms */
  withChanges(market: PricedMarket, asOf: number): Market {
    const seconds = Math.floor(asOf / 1_000);
    const key = priceKey(market.clobTokenId);
    const over = (window: ChangeWindow) => pointsBetween(this.#startPrice(key, window, seconds), market.midpoint);
    return {
      ...market,
      oneDayPriceChange: over('oneDay') ?? null,
      ...optional('sevenDayPriceChange', over('sevenDay')),
      ...optional('thirtyDayPriceChange', over('thirtyDay')),
    };
  }

  /** Whether upstream may know a start price that this service does not know. @param now Unix ms */
  needsHistory(kind: HistoryKind, { clobTokenId, midpoint }: PricedMarket, now: number): boolean {
    if (midpoint === undefined || !this.backfill.isLoaded(kind)) return false;
    const seconds = Math.floor(now / 1_000);
    const key = priceKey(clobTokenId);
    return WINDOWS_OF[kind].some((window) => {
      const sample = this.samples.startPrice(key, window, seconds);
      const isKnown = sample === null || (sample !== undefined && sample.age <= MAX_SAMPLE_AGE);
      return !isKnown && !this.backfill.covers(key, window, seconds);
    });
  }

  #startPrice(key: string, window: ChangeWindow, asOf: number): number | undefined {
    const sample = this.samples.startPrice(key, window, asOf);
    if (sample === null || (sample && sample.age <= MAX_SAMPLE_AGE)) return sample?.price;
    return this.backfill.startPrice(key, window, asOf) ?? sample?.price;
  }
}
