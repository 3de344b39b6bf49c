/**
 * Requests price histories from Polymarket for a run. A market's price change needs its price of an
 * hour, a day, 7 or 30 days ago. `StartPrices` decides which markets lack one, and stores histories.
 */
import pLimit from 'p-limit';
import { LONG_CHANGE_MARKETS } from '../../core/contract/constants.ts';
import { CHANGE_WINDOWS_MS } from '../../core/domain/change.ts';
import { type HistorySpan, MAX_WINDOW_SECONDS } from '../../core/domain/history-plan.ts';
import type { PricedMarket } from '../../core/domain/market.ts';
import { HOUR_MS, SECOND_MS, toUnixSeconds, type UnixMs } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import { type Clock, withTimeout } from '../../io/platform/clock.ts';
import { HISTORY_BATCH_TOKENS } from '../../io/polymarket/history-sources.ts';
import type { PriceHistories } from '../../io/polymarket/price-histories.ts';
import type { HistoryKind } from './backfill.ts';
import type { StartPrices } from './start-prices.ts';
import { TIMEOUTS } from './timeouts.ts';

/** What the requests use. */
export interface HistoryDependencies {
  readonly histories: Pick<PriceHistories, 'read'>;
  readonly startPrices: StartPrices;
  readonly clock: Clock;
}

export type HistoryCounts = Readonly<
  Record<'historyCalls' | 'historyCallsFailed' | 'historiesRecorded', number>
>;

/** The time of a call, from `start` to `end`. */
type Span = HistorySpan & { readonly kind: 'window' };

/**
 * The longest span of a call: an hour below upstream's limit, because the Data API counts one
 * second more (docs/upstream.md).
 */
const MAX_SPAN_MS = MAX_WINDOW_SECONDS * SECOND_MS - HOUR_MS;
/**
 * A history begins this long before the start of the change. The backfill stores points of a month
 * ago six hours apart, and upstream may lack the points of another six hours.
 */
const LOOK_BACK_MS = 12 * HOUR_MS;
/**
 * The two histories of a market: the longest change that each serves, and its fidelity, the minutes
 * between points. Upstream's steps are uneven: with 15 minutes, some markets would have no price of
 * 60 to 75 minutes ago.
 */
const HISTORIES = {
  day: { longestChangeMs: CHANGE_WINDOWS_MS.oneDay, fidelity: 10 },
  month: { longestChangeMs: CHANGE_WINDOWS_MS.thirtyDay, fidelity: 120 },
} as const;
/**
 * A run requests at most this many histories of a month. All 2,000 markets then have theirs within
 * a quarter of an hour.
 */
const MAX_MONTHS = 400;
/**
 * The groups of tokens that are read at once. They are few: if a route hangs, later groups start
 * with another route.
 */
const CONCURRENCY = 8;
/** After this many failed calls without a success, a run makes no more calls. */
const MAX_FAILED_CALLS = 3;

/** The history requests of one run. No method throws. The next run repeats failed requests. */
export class HistoryRequests {
  readonly #deps: HistoryDependencies;
  readonly #deadline: UnixMs;
  readonly #now: UnixMs;
  readonly #limit = pLimit(CONCURRENCY);
  readonly #pending: Promise<void>[] = [];
  readonly #requested: Readonly<Record<HistoryKind, Set<string>>> = {
    day: new Set(),
    month: new Set(),
  };
  readonly counts = { historyCalls: 0, historyCallsFailed: 0, historiesRecorded: 0 };
  #hasSucceeded = false;
  #stopped = false;

  /**
   * @param deps the start prices must be loaded
   * @param now the end of all histories
   */
  constructor(deps: HistoryDependencies, deadline: UnixMs, now: UnixMs) {
    this.#deps = deps;
    this.#deadline = deadline;
    this.#now = now;
  }

  /**
   * Reads days and months of the first markets: those that show all changes, and one group more.
   * Then reads all other days. Waits at most 2 s.
   *
   * @param markets in list order
   */
  async beforePublication(markets: readonly PricedMarket[]): Promise<void> {
    const first = markets.slice(0, LONG_CHANGE_MARKETS + HISTORY_BATCH_TOKENS);
    this.#request('day', first);
    this.#request('month', first);
    this.#request('day', markets);
    await this.#settled(TIMEOUTS.historyPatienceMs);
  }

  /**
   * Reads the other months. Waits until all have arrived or failed, or none has arrived for 20 s.
   */
  async afterPublication(markets: readonly PricedMarket[]): Promise<void> {
    this.#request('month', markets);
    // Goes on waiting as long as each 20 s bring another history.
    let recordedBefore = -1;
    while (this.counts.historiesRecorded > recordedBefore) {
      recordedBefore = this.counts.historiesRecorded;
      await this.#settled(TIMEOUTS.historyStalledMs);
    }
  }

  /** Prevents further calls. Calls under way end. */
  stop(): void {
    this.#stopped = true;
  }

  /** Waits until all requests so far have ended, at most `ms`. */
  async #settled(ms: number): Promise<void> {
    await withTimeout(this.#deps.clock, ms, () => Promise.all(this.#pending)).catch(() => {});
  }

  /** Begins to read the histories that are needed, each at most once in a run. */
  #request(kind: HistoryKind, markets: readonly PricedMarket[]): void {
    const requested = this.#requested[kind];
    const needed = markets
      .filter((market) => !requested.has(market.clobTokenId))
      .filter((market) => this.#deps.startPrices.needsHistory(kind, market, this.#now))
      .slice(0, kind === 'month' ? MAX_MONTHS : undefined);
    for (const { clobTokenId } of needed) requested.add(clobTokenId);
    const groups = inGroups(needed, HISTORY_BATCH_TOKENS);
    this.#pending.push(...groups.map((group) => this.#limit(() => this.#readGroup(kind, group))));
  }

  /** Reads the histories of a group. Records only markets of which all spans were read. */
  async #readGroup(kind: HistoryKind, markets: readonly PricedMarket[]): Promise<void> {
    const { longestChangeMs, fidelity } = HISTORIES[kind];
    const from = this.#now - longestChangeMs - LOOK_BACK_MS;
    const spans = spansBetween(from, this.#now, fidelity);
    const period = { from: toUnixSeconds(from), until: toUnixSeconds(this.#now) };
    const tokens = markets.map(({ clobTokenId }) => clobTokenId);
    const pointsOfSpans = await Promise.all(spans.map((span) => this.#readSpan(tokens, span)));
    for (const { clobTokenId: token, midpoint } of markets) {
      const parts = pointsOfSpans.map((pointsByToken) => pointsByToken?.get(token));
      if (parts.includes(undefined)) continue;
      const points = parts.flatMap((part) => part ?? []);
      // The current price tells an always empty book from a price of 0.5.
      if (points.length > 0 && midpoint !== undefined)
        points.push({ t: period.until, p: midpoint });
      this.#deps.startPrices.recordHistory(kind, token, { ...period, points });
      this.counts.historiesRecorded += 1;
    }
  }

  /** Makes one call. @returns points by token; undefined if the span cannot be read */
  async #readSpan(tokens: readonly string[], span: Span) {
    const { histories, clock } = this.#deps;
    const now = clock.now();
    if (this.#stopped || now >= this.#deadline) return undefined;
    this.counts.historyCalls += 1;
    try {
      const pointsByToken = await histories.read(
        tokens,
        span,
        Math.min(this.#deadline, now + TIMEOUTS.historyStalledMs),
      );
      this.#hasSucceeded = true;
      return pointsByToken;
    } catch {
      this.counts.historyCallsFailed += 1;
      if (!this.#hasSucceeded && this.counts.historyCallsFailed >= MAX_FAILED_CALLS) this.stop();
      return undefined;
    }
  }
}

/**
 * Divides a time into spans within upstream's limit, newest first. Each span is one call for a
 * group of tokens.
 */
function spansBetween(from: UnixMs, until: UnixMs, fidelity: number): Span[] {
  const spans: Span[] = [];
  for (let end = until; end > from; end -= MAX_SPAN_MS) {
    const start = Math.max(from, end - MAX_SPAN_MS);
    spans.push({ kind: 'window', start: toUnixSeconds(start), end: toUnixSeconds(end), fidelity });
  }
  return spans;
}
