import {
  type Invocation,
  invokeAsynchronously,
  type LambdaFunction,
  type ScheduleDefinition,
  startTicking,
} from 'cdk-local';
import type { RefreshOutcome } from './service-events.ts';

export interface RefreshRunnerOptions {
  /** Of the full runs. */
  readonly schedule: ScheduleDefinition;
  /** Of the price runs between them. */
  readonly priceSchedule?: ScheduleDefinition | undefined;
  readonly target: LambdaFunction;
  readonly onOutcome: (outcome: RefreshOutcome) => void;
}

/** What the function gets that nobody has scheduled: a run after a deployment, or on demand. */
const UNSCHEDULED = '{}';

/** Invokes the scheduled function: on demand and, once started, at its rate. */
export class RefreshRunner {
  readonly #options: RefreshRunnerOptions;
  readonly #stopped = new AbortController();
  readonly #stopTicking: (() => void)[] = [];

  constructor(options: RefreshRunnerOptions) {
    this.#options = options;
  }

  /**
   * The first run at once, as the stack's own trigger does after a deployment; then a full one per interval, and a price
   * run in the middle between two of them.
   */
  start(intervalMs: number): Promise<RefreshOutcome> {
    const { schedule, priceSchedule } = this.#options;
    this.#stopTicking.push(startTicking(intervalMs, (at) => void this.#invoke(schedule.event(at))));
    if (priceSchedule) {
      const runPrices = (at: Date) => void this.#invoke(priceSchedule.event(at));
      const half = setTimeout(() => {
        this.#stopTicking.push(startTicking(intervalMs, runPrices));
        runPrices(new Date());
      }, intervalMs / 2);
      this.#stopTicking.push(() => clearTimeout(half));
    }
    return this.run();
  }

  /** One full run with its retries, if the function has any. Never rejects. */
  run(): Promise<RefreshOutcome> {
    return this.#invoke(UNSCHEDULED);
  }

  async #invoke(event: string): Promise<RefreshOutcome> {
    const { target, onOutcome } = this.#options;
    const invocation = await invokeAsynchronously(target, event, {
      signal: this.#stopped.signal,
      onFailure: (attempt, final) => {
        if (!final) onOutcome(outcomeOf(attempt));
      },
    });
    const outcome = outcomeOf(invocation);
    if (!this.#stopped.signal.aborted) onOutcome(outcome);
    return outcome;
  }

  stop(): void {
    for (const stop of this.#stopTicking) stop();
    this.#stopped.abort();
  }
}

function outcomeOf(invocation: Invocation): RefreshOutcome {
  const { ok, durationMs } = invocation;
  return invocation.ok
    ? { ok, durationMs, result: JSON.parse(invocation.payload) }
    : { ok, durationMs, error: invocation.error.errorMessage };
}
