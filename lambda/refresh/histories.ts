import { HISTORY_BATCH_TOKENS } from '../contract/constants.ts';
import { CHANGE_WINDOWS } from '../domain/change.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import type { RunDeadlines } from './budget.ts';
import type { HistoryRange, PastKind, PriceHistories, PriceMemory } from './ports.ts';
import type { RunReport } from './run-report.ts';

const HOUR = 3_600;
/** Upstream takes windows of at most 15 days (upstream.md), and the Data API's are a second longer than they say. */
const LONGEST_WINDOW = 15 * 24 * HOUR - HOUR;
/** How far back the day reaches beyond its window: a market may have been quiet at its start. */
const LOOK_BACK = 12 * HOUR;
/** Minutes between points: how closely the start of a window is met. */
const DAY_FIDELITY = 15;
const WEEKS_FIDELITY = 60;
const MONTH_FIDELITY = 120;

/** How long the prices wait for histories once the catalogue has been read: a hiccup is over by then. */
const PATIENCE_MS = 70_000;

/** Markets whose month is asked for in a run that has most of them to ask about: all 2,000 within a quarter of an hour. */
const MONTHS_A_RUN = 400;
/** Where more than so many markets are unknown, the memory is new, or the stage has grown: then the day of all is due at once. */
const FEW = 100;
/** Markets whose day is asked for in steady state, where a call takes one; and for one market's month there are two calls. */
const FEWEST_DAYS = 3;
/** So long after its first prices a memory is new, and what is missing comes at once, whatever the route takes in a call. */
const YOUNG_MS = 3_600_000;

/** The stretches that a kind is asked for in, in Unix seconds: each is a call for a group of tokens. They do not overlap. */
function rangesOf(kind: PastKind, now: number): HistoryRange[] {
  const day = now - CHANGE_WINDOWS.oneDay - LOOK_BACK;
  if (kind === 'day') return [{ start: day, end: now, fidelity: DAY_FIDELITY }];
  const middle = day - LONGEST_WINDOW;
  const start = Math.max(middle - LONGEST_WINDOW, now - CHANGE_WINDOWS.thirtyDay - LOOK_BACK);
  return [
    { start: middle, end: day, fidelity: WEEKS_FIDELITY },
    { start, end: middle, fidelity: MONTH_FIDELITY },
  ];
}

/**
 * Asks upstream for what was before the service knew a market, while the catalogue is still arriving, and hands it to the
 * memory. Nothing here ever throws.
 */
export class Histories {
  readonly #prices: PriceHistories;
  readonly #memory: PriceMemory;
  readonly #clock: Clock;
  readonly #deadlines: RunDeadlines;
  readonly #report: RunReport;
  readonly #now: number;
  readonly #waiting: string[] = [];
  readonly #pending: Promise<void>[] = [];
  readonly #requested: Readonly<Record<PastKind, Set<string>>> = { day: new Set(), month: new Set() };
  readonly #perCall: number;
  readonly #unpriced: ReadonlySet<string>;
  /** Told before the memory was open: what to do once it is. */
  #early: (() => void)[] | undefined = [];
  readonly #open: Promise<void>;

  /**
   * @param opening until then nobody knows what to ask for
   * @param unpriced tokens that had no midpoint lately: what they were worth before matters to nobody
   */
  constructor(
    prices: PriceHistories,
    memory: PriceMemory,
    opening: Promise<unknown>,
    clock: Clock,
    deadlines: RunDeadlines,
    report: RunReport,
    unpriced: ReadonlySet<string>,
  ) {
    this.#prices = prices;
    this.#memory = memory;
    this.#clock = clock;
    this.#deadlines = deadlines;
    this.#report = report;
    this.#now = clock.now();
    this.#unpriced = unpriced;
    this.#open = opening.then(() => {
      const early = this.#early ?? [];
      this.#early = undefined;
      for (const step of early) step();
    });
    this.#perCall = prices.tokensPerCall ?? HISTORY_BATCH_TOKENS;
  }

  /** Tokens whose day may be needed; where the memory is new, calls go out whenever a batch is full. */
  add(tokens: readonly string[]): void {
    if (this.#early) {
      this.#early.push(() => this.add(tokens));
      return;
    }
    // A catalogue that is read a second time, in another way, brings the same markets again.
    this.#waiting.push(...this.#wanted('day', tokens));
    if (this.#memory.since !== undefined) return;
    while (this.#waiting.length >= HISTORY_BATCH_TOKENS)
      this.#ask('day', this.#waiting.splice(0, HISTORY_BATCH_TOKENS));
  }

  /** Tokens whose month is needed now. */
  addLong(tokens: readonly string[]): void {
    if (this.#early) {
      this.#early.push(() => this.addLong(tokens));
      return;
    }
    this.#ask('month', this.#wanted('month', tokens));
  }

  /**
   * Ends when every history is there or given up; at the latest after some seconds, since the prices are due.
   *
   * @param tokens all, in list order
   * @param top how many of them are shown with all their changes
   */
  async settle(tokens: readonly string[], top: number): Promise<void> {
    await this.#open;
    const steady = !this.#isYoung() && this.#waiting.length <= FEW;
    const group = steady ? Math.max(FEWEST_DAYS, this.#perCall) : Number.POSITIVE_INFINITY;
    const asked = this.#requested.day.size - this.#waiting.length;
    const days = this.#waiting.splice(0, group);
    this.#ask('day', days);
    this.addLong(tokens.slice(0, top));
    // A run that asks for all days leaves the months to the next ones.
    if (asked + days.length <= FEW) this.#addMonths(tokens);
    await Promise.race([Promise.all(this.#pending), sleep(this.#clock, PATIENCE_MS)]);
  }

  /** Until what the prices did not wait for is there, too, or given up. @returns whether there was any */
  async rest(): Promise<boolean> {
    const before = this.#report.marketsAskedFor;
    await Promise.all(this.#pending);
    return this.#report.marketsAskedFor > before;
  }

  #addMonths(tokens: readonly string[]): void {
    const wanted = tokens.filter((token) => this.#isWanted('month', token));
    const most = wanted.length <= FEW && !this.#isYoung() ? this.#perCall : MONTHS_A_RUN;
    this.addLong(wanted.slice(0, most));
  }

  #isYoung(): boolean {
    const { since } = this.#memory;
    return since === undefined || this.#now - since < YOUNG_MS;
  }

  #isWanted(kind: PastKind, token: string): boolean {
    if (this.#requested[kind].has(token) || this.#unpriced.has(token)) return false;
    return this.#memory.wants(kind, token, this.#now);
  }

  #wanted(kind: PastKind, tokens: readonly string[]): string[] {
    const wanted = tokens.filter((token) => this.#isWanted(kind, token));
    for (const token of wanted) this.#requested[kind].add(token);
    return wanted;
  }

  #ask(kind: PastKind, tokens: readonly string[]): void {
    for (let start = 0; start < tokens.length; start += HISTORY_BATCH_TOKENS) {
      this.#pending.push(this.#askGroup(kind, tokens.slice(start, start + HISTORY_BATCH_TOKENS)));
    }
  }

  /** A market whose ranges have not all come is asked for again by the next run. */
  async #askGroup(kind: PastKind, tokens: readonly string[]): Promise<void> {
    const seconds = Math.floor(this.#now / 1_000);
    const deadline = this.#deadlines[kind];
    const parts = await Promise.all(
      rangesOf(kind, seconds).map(async (range) => {
        this.#report.historyBatches += 1;
        try {
          return await this.#prices.histories(tokens, range, deadline);
        } catch {
          this.#report.historyBatchesFailed += 1;
          return new Map<string, never>();
        }
      }),
    );
    const whole = tokens.filter((token) => parts.every((part) => part.has(token)));
    const histories = new Map(whole.map((token) => [token, parts.flatMap((part) => part.get(token) ?? [])]));
    this.#report.marketsAskedFor += whole.length;
    this.#memory.learn(kind, histories, seconds);
  }
}
