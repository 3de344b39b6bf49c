import { HISTORY_BATCH_TOKENS } from '../contract/constants.ts';
import { CHANGE_WINDOWS, type ChangeWindow, latestBaselineDelay, type PricePoint } from '../domain/change.ts';
import { type Clock, sleep } from '../platform/clock.ts';
import type { RunDeadlines } from './budget.ts';
import type { HistoryRange, PriceHistories } from './ports.ts';
import type { RunReport } from './run-report.ts';

/**
 * Only the stretch around a window's start is asked for: it is all a change needs, it is a fraction of the whole
 * history, and it does not depend on how long upstream takes "one month" to be. `lookBack` finds the last price
 * of a market that was quiet then; `fidelity` (minutes) is how closely the start is met.
 */
const RESOLUTION: Readonly<Record<ChangeWindow, { lookBackSeconds: number; fidelity: number }>> = {
  oneDay: { lookBackSeconds: 12 * 3_600, fidelity: 15 },
  sevenDay: { lookBackSeconds: 86_400, fidelity: 60 },
  thirtyDay: { lookBackSeconds: 3 * 86_400, fidelity: 120 },
};

/** How long the prices wait for histories once the catalogue has been read: a hiccup is over by then. */
const PATIENCE_MS = 70_000;

/** `asOf` comes after the histories: by at most the length of a run. */
const LONGEST_RUN_SECONDS = 900;

function rangeAround(window: ChangeWindow, now: number): HistoryRange {
  const start = Math.floor(now / 1_000) - CHANGE_WINDOWS[window];
  const { lookBackSeconds, fidelity } = RESOLUTION[window];
  const end = start + latestBaselineDelay(window) + LONGEST_RUN_SECONDS;
  return { start: start - lookBackSeconds, end: Math.ceil(end), fidelity };
}

/** Fetches price histories in the background while the catalogue is still arriving. Nothing here ever throws. */
export class Histories {
  private readonly found: Readonly<Record<ChangeWindow, Map<string, readonly PricePoint[]>>> = {
    oneDay: new Map(),
    sevenDay: new Map(),
    thirtyDay: new Map(),
  };
  private readonly waiting: string[] = [];
  private readonly underWay: Promise<void>[] = [];
  private readonly requested = new Set<string>();
  private readonly requestedLong = new Set<string>();
  private readonly prices: PriceHistories;
  private readonly clock: Clock;
  private readonly deadlines: RunDeadlines;
  private readonly report: RunReport;

  constructor(prices: PriceHistories, clock: Clock, deadlines: RunDeadlines, report: RunReport) {
    this.prices = prices;
    this.clock = clock;
    this.deadlines = deadlines;
    this.report = report;
  }

  /** Tokens for the 1-day change; calls go out whenever a batch is full. */
  add(tokens: readonly string[]): void {
    // A catalogue that is read a second time, in another way, brings the same markets again.
    const wanted = tokens.filter((token) => !this.requested.has(token));
    for (const token of wanted) this.requested.add(token);
    this.waiting.push(...wanted);
    while (this.waiting.length >= HISTORY_BATCH_TOKENS) this.startBatch('oneDay', this.nextBatch());
  }

  /** Tokens for the 7- and 30-day changes; those asked for before are not asked for again. */
  addLong(tokens: readonly string[]): void {
    const wanted = tokens.filter((token) => !this.requestedLong.has(token));
    for (const token of wanted) this.requestedLong.add(token);
    for (let start = 0; start < wanted.length; start += HISTORY_BATCH_TOKENS) {
      const batch = wanted.slice(start, start + HISTORY_BATCH_TOKENS);
      this.startBatch('sevenDay', batch);
      this.startBatch('thirtyDay', batch);
    }
  }

  /** Ends when every history is there or given up; at the latest after some seconds, since the prices are due. */
  async settle(top: readonly string[]): Promise<void> {
    if (this.waiting.length > 0) this.startBatch('oneDay', this.waiting.splice(0));
    this.addLong(top);
    await Promise.race([Promise.all(this.underWay), sleep(this.clock, PATIENCE_MS)]);
  }

  of(window: ChangeWindow, token: string): readonly PricePoint[] {
    return this.found[window].get(token) ?? [];
  }

  private nextBatch(): string[] {
    return this.waiting.splice(0, HISTORY_BATCH_TOKENS);
  }

  private startBatch(window: ChangeWindow, tokens: readonly string[]): void {
    this.report.historyBatches += 1;
    this.underWay.push(
      this.prices.histories(tokens, rangeAround(window, this.clock.now()), this.deadlines[window]).then(
        (histories) => {
          for (const [token, points] of histories) this.found[window].set(token, points);
        },
        () => {
          this.report.historyBatchesFailed += 1; // its markets stay without this change
        },
      ),
    );
  }
}
