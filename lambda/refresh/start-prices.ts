import { CHANGE_WINDOWS, type ChangeWindow, pointsBetween } from '../domain/change.ts';
import type { Market } from '../domain/market.ts';
import { optional } from '../domain/values.ts';
import type { Backfill } from './backfill.ts';
import type { Samples } from './samples.ts';
import { priceKey } from './stored-prices.ts';

/** What is requested from the upstream: the last day and a half, or the month before that. */
export type HistoryKind = 'day' | 'month';

type Changes = Pick<Market, 'oneDayPriceChange' | 'sevenDayPriceChange' | 'thirtyDayPriceChange'>;

const WINDOWS_OF = { day: ['oneDay'], month: ['sevenDay', 'thirtyDay'] } as const;
/** How long the table may delay a run. The first run of a container has no changes to show without the table. */
const LOAD_TIMEOUT_MS = { first: 5_000, later: 2_000 } as const;

/**
 * The prices at the starts of the windows: from the service's own sample, otherwise from the backfill, otherwise
 * unknown. One object for all runs of a container.
 */
export class StartPrices {
  readonly samples: Samples;
  readonly backfill: Backfill;
  #isWarm = false;

  constructor(samples: Samples, backfill: Backfill) {
    this.samples = samples;
    this.backfill = backfill;
  }

  /** Reads what other runs have stored. Never throws. @param now Unix ms @param end of the run, Unix ms */
  async load(now: number, end: number): Promise<void> {
    const deadline = Math.min(end, now + LOAD_TIMEOUT_MS[this.#isWarm ? 'later' : 'first']);
    this.#isWarm = true;
    await Promise.all([this.samples.load(now, deadline), this.backfill.load(now, deadline)]);
  }

  /**
   * The changes of a market up to a midpoint. A change whose start or end is unknown is left out, or null.
   *
   * @param midpoint 0–1 @param asOf when the midpoint was read, Unix ms
   */
  changesOf(conditionId: string, midpoint: number | undefined, asOf: number): Changes {
    const seconds = Math.floor(asOf / 1_000);
    const key = priceKey(conditionId);
    const over = (window: ChangeWindow): number | undefined => {
      const start = this.samples.startPrice(key, window, seconds) ?? this.backfill.startPrice(key, window, seconds);
      return pointsBetween(start, midpoint);
    };
    return {
      oneDayPriceChange: over('oneDay') ?? null,
      ...optional('sevenDayPriceChange', over('sevenDay')),
      ...optional('thirtyDayPriceChange', over('thirtyDay')),
    };
  }

  /** Whether the upstream may know a price at the start of a window that this service does not know. @param now Unix ms */
  needsHistory(kind: HistoryKind, conditionId: string, now: number): boolean {
    const seconds = Math.floor(now / 1_000);
    const key = priceKey(conditionId);
    return WINDOWS_OF[kind].some(
      (window) =>
        this.samples.startPrice(key, window, seconds) === undefined &&
        !this.backfill.covers(key, seconds - CHANGE_WINDOWS[window], seconds),
    );
  }
}
