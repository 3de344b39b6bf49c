import pLimit from 'p-limit';
import { LONG_CHANGE_MARKETS } from '../contract/constants.ts';
import { CHANGE_WINDOWS } from '../domain/change.ts';
import type { HistorySpan } from '../domain/history-plan.ts';
import type { CatalogueMarket } from '../domain/market.ts';
import { inGroups } from '../domain/values.ts';
import { type Clock, withTimeout } from '../platform/clock.ts';
import { HISTORY_BATCH_TOKENS } from '../polymarket/history-routes.ts';
import type { PriceHistories } from '../polymarket/price-histories.ts';
import type { RunReport } from './run-report.ts';
import type { HistoryKind, StartPrices } from './start-prices.ts';
import { priceKey } from './stored-prices.ts';

export interface HistoryReader {
  readonly histories: Pick<PriceHistories, 'read'>;
  readonly startPrices: StartPrices;
  readonly clock: Clock;
}

interface HistoryRun extends HistoryReader {
  /** Resolves when the start prices are loaded; before, it is unknown what is missing. */
  readonly loaded: Promise<void>;
  /** Unix ms. */
  readonly deadline: number;
  readonly report: RunReport;
}

type Span = HistorySpan & { readonly kind: 'window' };

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Upstream accepts spans of at most 15 days, and the Data API counts a second more than they have (docs/upstream.md). */
const MAX_SPAN = 15 * DAY - HOUR;
/** How far a history reaches back before its window: the market may have been quiet at the start. */
const LOOK_BACK = 12 * HOUR;
/** Markets whose month one run requests: all 2,000 are complete within a quarter of an hour. */
const MAX_MONTHS = 400;
/** Groups of tokens under way at once. If a route hangs, the groups after these begin with another route. */
const CONCURRENCY = 8;
/** The longest time that prices wait for histories. */
const PATIENCE_MS = 2_000;
/** The longest time of one call, and the time without any new history after which a run that has published ends. */
const STALLED_MS = 20_000;
/** Failed calls after which a run without any successful call makes no more. The next run begins again. */
const MAX_FAILED_CALLS = 3;

/**
 * The histories that one run requests: the day of all markets that need it, while the catalogue is still arriving; then
 * the month of the first markets of the list; after the publication the month of the others. Nothing here throws. The
 * next run requests again what failed.
 */
export class HistoryRequests {
  readonly #run: HistoryRun;
  /** Unix ms. */
  readonly #now: number;
  readonly #limit = pLimit(CONCURRENCY);
  readonly #checked: Readonly<Record<HistoryKind, Set<string>>> = { day: new Set(), month: new Set() };
  readonly #waiting: CatalogueMarket[] = [];
  readonly #pending: Promise<void>[] = [];
  #hasSucceeded = false;
  #stopped = false;

  constructor(run: HistoryRun) {
    this.#run = run;
    this.#now = run.clock.now();
  }

  /** Markets of the catalogue as they arrive. Their days are requested whenever a batch is full. */
  add(markets: readonly CatalogueMarket[]): void {
    this.#onceLoaded(() => {
      this.#waiting.push(...this.#needed('day', markets));
      const rest = this.#waiting.length % HISTORY_BATCH_TOKENS;
      this.#request('day', this.#waiting.splice(0, this.#waiting.length - rest));
    });
  }

  /**
   * Requests the days that are still waiting and the months of the first markets.
   *
   * @param markets all, in list order
   * @returns when these histories have arrived or failed, at the latest after 2 s
   */
  async beforePrices(markets: readonly CatalogueMarket[]): Promise<void> {
    this.#onceLoaded(() => {
      this.#request('day', this.#waiting.splice(0));
      this.#request('month', this.#needed('month', markets.slice(0, LONG_CHANGE_MARKETS + HISTORY_BATCH_TOKENS)));
    });
    await this.#settled(PATIENCE_MS);
  }

  /**
   * Requests the months of the other markets.
   *
   * @returns when all histories have arrived or failed, or when none arrives any more
   */
  async afterPublication(markets: readonly CatalogueMarket[]): Promise<void> {
    const { report } = this.#run;
    this.#onceLoaded(() => this.#request('month', this.#needed('month', markets).slice(0, MAX_MONTHS)));
    let recorded: number;
    do {
      recorded = report.historiesRecorded;
      await this.#settled(STALLED_MS);
    } while (report.historiesRecorded > recorded);
  }

  /** Makes no further call. */
  stop(): void {
    this.#stopped = true;
  }

  #onceLoaded(work: () => void): void {
    this.#pending.push(this.#run.loaded.then(work));
  }

  /** Waits until all requests have ended, but no longer than `ms`. */
  async #settled(ms: number): Promise<void> {
    const all = async (): Promise<void> => {
      // Work that ends can have added more.
      for (let n = 0; n < this.#pending.length; n++) await this.#pending[n];
    };
    await withTimeout(this.#run.clock, ms, all).catch(() => {});
  }

  /** Each market once: a catalogue that is read again in another way brings the same markets. */
  #needed(kind: HistoryKind, markets: readonly CatalogueMarket[]): readonly CatalogueMarket[] {
    const checked = this.#checked[kind];
    const unchecked = markets.filter(({ id }) => !checked.has(id));
    for (const { id } of unchecked) checked.add(id);
    return unchecked.filter(({ id }) => this.#run.startPrices.needsHistory(kind, id, this.#now));
  }

  #request(kind: HistoryKind, markets: readonly CatalogueMarket[]): void {
    const groups = inGroups(markets, HISTORY_BATCH_TOKENS);
    this.#pending.push(...groups.map((group) => this.#limit(() => this.#readGroup(kind, group))));
  }

  /** Records the markets for which all spans have arrived. */
  async #readGroup(kind: HistoryKind, markets: readonly CatalogueMarket[]): Promise<void> {
    const { startPrices, report } = this.#run;
    const seconds = Math.floor(this.#now / 1_000);
    const spans = spansOf(kind, seconds);
    const tokens = markets.map(({ clobTokenId }) => clobTokenId);
    const parts = await Promise.all(spans.map((span) => this.#readSpan(tokens, span)));
    const from = Math.min(...spans.map(({ start }) => start));
    const until = Math.max(...spans.map(({ end }) => end));
    for (const { id, clobTokenId } of markets) {
      const histories = parts.map((part) => part?.get(clobTokenId)).filter((history) => history !== undefined);
      if (histories.length < spans.length) continue;
      startPrices.backfill.recordHistory(priceKey(id), from, until, histories.flat(), seconds);
      report.historiesRecorded += 1;
    }
  }

  /** @returns undefined when the span cannot be read */
  async #readSpan(tokens: readonly string[], span: Span) {
    const { histories, clock, deadline, report } = this.#run;
    const now = clock.now();
    if (this.#stopped || now >= deadline) return undefined;
    report.historyCalls += 1;
    try {
      const found = await histories.read(tokens, span, Math.min(deadline, now + STALLED_MS));
      this.#hasSucceeded = true;
      return found;
    } catch {
      report.historyCallsFailed += 1;
      if (!this.#hasSucceeded && report.historyCallsFailed >= MAX_FAILED_CALLS) this.stop();
      return undefined;
    }
  }
}

/** The spans that a kind needs: one call each for a group of tokens. @param now Unix seconds */
function spansOf(kind: HistoryKind, now: number): Span[] {
  const day = now - CHANGE_WINDOWS.oneDay - LOOK_BACK;
  if (kind === 'day') return [{ kind: 'window', start: day, end: now, fidelity: 15 }];
  const middle = day - MAX_SPAN;
  const start = now - CHANGE_WINDOWS.thirtyDay - LOOK_BACK;
  return [
    { kind: 'window', start: middle, end: day, fidelity: 60 },
    { kind: 'window', start, end: middle, fidelity: 120 },
  ];
}
