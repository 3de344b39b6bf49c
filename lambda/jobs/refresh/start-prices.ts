/**
 * The start prices of the refresher: what each market cost an hour, a day, 7 and 30 days ago. The
 * difference to its price now is the market's change over that window.
 */
import {
  CHANGE_WINDOWS,
  type ChangeWindow,
  MAX_HOUR_EARLY_MS,
  pointsBetween,
} from '../../core/domain/change.ts';
import type { ChangeField, Market, PricedMarket } from '../../core/domain/market.ts';
import { isJump } from '../../core/domain/price-history.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import { priceKey, type StoredPrices } from '../../io/snapshots/stored-prices.ts';
import {
  BackfillStore,
  type History,
  type HistoryKind,
  KIND_OF_WINDOW,
  type StartPrice,
} from './backfill.ts';
import type { PriceReading } from './price-reader.ts';
import { type SampledPrice, Samples } from './samples.ts';
import { TIMEOUTS } from './timeouts.ts';

/**
 * A sample is recent if it is at most this much older than the window's start. Samples are ten
 * minutes apart, so an older one means that a sample failed: then upstream's history may have a
 * better price. The limit is that of a 1-hour change, and it serves all windows.
 */
const MAX_RECENT_AGE_MS = MAX_HOUR_EARLY_MS;
/**
 * A sample is stored only if at least this share of the markets that had a midpoint still have one.
 * Otherwise CLOB may have returned wrong books.
 */
const MIN_SHARE_OF_SAMPLE = 0.9;

/**
 * Finds the start price of a window (the time of a change) in the first of these that has it:
 *
 * 1. a recent one of our own samples, which the refresher stores every ten minutes;
 * 2. the backfill: upstream's price histories;
 * 3. a sample up to half an hour older than the window's start, but not for the window of an hour.
 *
 * The start price is unknown if the sample shows that the market had no midpoint, or if upstream's
 * history shows the 0.5 of an empty book there. One object serves all runs of a container.
 */
export class StartPrices {
  readonly #samples: Samples;
  readonly #backfill: BackfillStore;
  #isWarm = false;

  constructor(stored: Pick<StoredPrices, 'query' | 'put'>, logger: Pick<Log, 'warn'>) {
    this.#samples = new Samples(stored, logger);
    this.#backfill = new BackfillStore(stored, logger);
  }

  /** The time of our oldest sample; undefined before the first. */
  get since(): UnixMs | undefined {
    return this.#samples.since;
  }

  /** Reads what other runs stored. Never throws. */
  async load(
    newest: readonly Market[] | undefined,
    now: UnixMs,
    runDeadline: UnixMs,
  ): Promise<void> {
    const timeoutMs = this.#isWarm ? TIMEOUTS.loadTimeoutMs : TIMEOUTS.firstLoadTimeoutMs;
    const deadline = Math.min(runDeadline, now + timeoutMs);
    this.#isWarm = true;
    const listed = newest && new Set(newest.map(({ clobTokenId }) => priceKey(clobTokenId)));
    await Promise.all([
      this.#samples.load(now, deadline),
      this.#backfill.load(listed, now, deadline),
    ]);
  }

  /**
   * Adds the changes to a market: midpoint now (the middle of its best prices) less start price. An
   * unknown change over an hour or a day is null; an unknown longer one is absent. A change is
   * unknown if
   *
   * - the book is not tight now: the market has no midpoint;
   * - the book was not tight then: the sample has null, or upstream's history shows 0.5 for it;
   * - no sample counts, and upstream has no earlier price: the market is new, or its history is
   *   empty;
   * - no sample counts, and the history was not read yet, or its calls fail.
   *
   * A change is doubtful if the history has jumped since the window's start, and the change itself
   * is a jump. Then the start price may be the middle of a wide book, and nothing has moved.
   *
   * @param asOf time of the midpoint
   */
  withChanges(market: PricedMarket, asOf: UnixMs): Market {
    const changes: Partial<Record<ChangeField, number>> = {};
    const doubtful: ChangeField[] = [];
    for (const window of CHANGE_WINDOWS) {
      const start = this.#startPrice(priceKey(market.clobTokenId), window, asOf);
      const points = pointsBetween(start?.price, market.midpoint);
      if (points === undefined) continue;
      changes[`${window}PriceChange`] = points;
      // `isJump` expects a difference of prices from 0 to 1, not percentage points.
      if (start?.hasJumped && isJump(points / 100)) doubtful.push(`${window}PriceChange`);
    }
    return {
      ...market,
      oneHourPriceChange: null,
      oneDayPriceChange: null,
      ...changes,
      ...(doubtful.length > 0 ? { doubtfulChanges: doubtful } : {}),
    };
  }

  /**
   * Whether upstream may have a start price that is unknown here, in the history of a kind (`day`:
   * for the windows of an hour and a day; `month`: for the longer ones). A market without a midpoint
   * has no change, so it needs no history.
   */
  needsHistory(kind: HistoryKind, { clobTokenId, midpoint }: PricedMarket, now: UnixMs): boolean {
    if (midpoint === undefined || !this.#backfill.isLoaded(kind)) return false;
    const key = priceKey(clobTokenId);
    const windows = CHANGE_WINDOWS.filter((window) => KIND_OF_WINDOW[window] === kind);
    return windows.some((window) => {
      const sample = this.#samples.find(key, window, now);
      // Without a midpoint at the start, the change is unknown, whatever the history says.
      const isAnswered = sample === 'no midpoint' || isRecent(sample);
      return !isAnswered && !this.#backfill.covers(key, window, now);
    });
  }

  recordHistory(kind: HistoryKind, token: string, history: History): void {
    this.#backfill.recordHistory(kind, priceKey(token), history);
  }

  /** Stores the recorded histories. After a failure, the next call tries again. Never throws. */
  saveHistories(now: UnixMs, deadline: UnixMs): Promise<void> {
    return this.#backfill.save(now, deadline);
  }

  /**
   * Stores the midpoints of the books that were read, and `null` where a book is not tight. Stores
   * nothing if most calls failed, or if many markets have lost their midpoint.
   *
   * @param newest the markets of the newest snapshot
   */
  async saveSample(
    newest: readonly Market[],
    markets: readonly PricedMarket[],
    { asOf, calls, failed, sides }: PriceReading,
    deadline: UnixMs,
  ): Promise<void> {
    const withMidpoint = newest.filter(({ midpoint }) => midpoint);
    const hadMidpoint = new Set(withMidpoint.map(({ clobTokenId }) => clobTokenId));
    const read = markets.filter(({ clobTokenId }) => sides.has(clobTokenId));
    const expected = read.filter(({ clobTokenId }) => hadMidpoint.has(clobTokenId));
    const stillTight = expected.filter(({ midpoint }) => midpoint !== undefined);
    if (failed > calls / 2 || stillTight.length < MIN_SHARE_OF_SAMPLE * expected.length) return;
    const prices = new Map<string, number | null>();
    for (const { clobTokenId, midpoint } of read)
      prices.set(priceKey(clobTokenId), midpoint ?? null);
    await this.#samples.save(asOf, prices, deadline);
  }

  /** The start price as the class describes it; undefined if it is unknown. */
  #startPrice(key: string, window: ChangeWindow, asOf: UnixMs): StartPrice | undefined {
    const sample = this.#samples.find(key, window, asOf);
    if (sample === 'no midpoint') return undefined;
    // The midpoint of our own sample is that of a tight book, so it is in no doubt.
    const sampled = sample === 'unknown' ? undefined : { price: sample.price, hasJumped: false };
    if (sampled && isRecent(sample)) return sampled;
    const oldSample = window === 'oneHour' ? undefined : sampled;
    return this.#backfill.startPrice(key, window, asOf) ?? oldSample;
  }
}

/** Whether a sample has a price, and was taken shortly before the window's start. */
function isRecent(sample: SampledPrice): boolean {
  return typeof sample === 'object' && sample.ageMs <= MAX_RECENT_AGE_MS;
}
