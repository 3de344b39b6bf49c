import { type ChangeWindow, MAX_HOUR_EARLY_MS, pointsBetween } from '../../core/domain/change.ts';
import type { Market, PricedMarket } from '../../core/domain/market.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { Backfill, HistoryKind } from './backfill.ts';
import type { Samples } from './samples.ts';
import { priceKey } from './stored-prices.ts';
import { TIMELINE } from './timeline.ts';

const WINDOWS_OF = { day: ['oneHour', 'oneDay'], month: ['sevenDay', 'thirtyDay'] } as const;
/** Samples are normally ten minutes apart: an older one lies before a gap. */
const MAX_SAMPLE_AGE_MS = MAX_HOUR_EARLY_MS;

/** From own samples, otherwise from the backfill. */
export class StartPrices {
  readonly samples: Samples;
  readonly backfill: Backfill;
  #isWarm = false;

  constructor(samples: Samples, backfill: Backfill) {
    this.samples = samples;
    this.backfill = backfill;
  }

  /** Reads what other runs stored. Never throws. */
  async load(newest: readonly Market[] | undefined, now: UnixMs, runDeadline: UnixMs): Promise<void> {
    const timeoutMs = this.#isWarm ? TIMELINE.loadTimeoutMs : TIMELINE.firstLoadTimeoutMs;
    const deadline = Math.min(runDeadline, now + timeoutMs);
    this.#isWarm = true;
    const listed = newest && new Set(newest.map(({ clobTokenId }) => priceKey(clobTokenId)));
    await Promise.all([this.samples.load(now, deadline), this.backfill.load(listed, now, deadline)]);
  }

  /** An unknown change over an hour or a day is null; the others are absent. @param asOf time of the midpoint */
  withChanges(market: PricedMarket, asOf: UnixMs): Market {
    const key = priceKey(market.clobTokenId);
    const over = (window: ChangeWindow) => pointsBetween(this.#startPrice(key, window, asOf), market.midpoint);
    return {
      ...market,
      oneHourPriceChange: over('oneHour') ?? null,
      oneDayPriceChange: over('oneDay') ?? null,
      ...fieldIf('sevenDayPriceChange', over('sevenDay')),
      ...fieldIf('thirtyDayPriceChange', over('thirtyDay')),
    };
  }

  /** Upstream may have a start price that is unknown here. */
  needsHistory(kind: HistoryKind, { clobTokenId, midpoint }: PricedMarket, now: UnixMs): boolean {
    if (midpoint === undefined || !this.backfill.isLoaded(kind)) return false;
    const key = priceKey(clobTokenId);
    return WINDOWS_OF[kind].some((window) => {
      const sample = this.samples.startPrice(key, window, now);
      const isKnown = sample === null || (sample !== undefined && sample.ageMs <= MAX_SAMPLE_AGE_MS);
      return !isKnown && !this.backfill.covers(key, window, now);
    });
  }

  #startPrice(key: string, window: ChangeWindow, asOf: UnixMs): number | null | undefined {
    const sample = this.samples.startPrice(key, window, asOf);
    if (sample === null || (sample && sample.ageMs <= MAX_SAMPLE_AGE_MS)) return sample?.price;
    const price = this.backfill.startPrice(key, window, asOf);
    return price === undefined && window !== 'oneHour' ? sample?.price : price;
  }
}
