import {
  type Invocation,
  invokeAsynchronously,
  type LambdaFunction,
  type ScheduleDefinition,
  startTicking,
} from 'cdk-local';
import type { RefreshOutcome } from './service-events.ts';

export interface RefreshRunnerOptions {
  readonly schedule: ScheduleDefinition;
  readonly target: LambdaFunction;
  readonly onOutcome: (outcome: RefreshOutcome) => void;
}

/** What the function gets that nobody has scheduled: a run after a deployment, or on demand. */
const UNSCHEDULED = '{}';

/** Invokes the scheduled function: on demand and, once started, at its rate. */
export class RefreshRunner {
  readonly #options: RefreshRunnerOptions;
  readonly #stopped = new AbortController();
  #stopTicking: (() => void) | undefined;

  constructor(options: RefreshRunnerOptions) {
    this.#options = options;
  }

  /** The first run at once, as the stack's own trigger does after a deployment; then one per interval. */
  start(intervalMs: number): Promise<RefreshOutcome> {
    this.#stopTicking = startTicking(intervalMs, (scheduledAt) => void this.run(scheduledAt));
    return this.run();
  }

  /** One run with its retries, if the function has any. Never rejects. */
  async run(scheduledAt?: Date): Promise<RefreshOutcome> {
    const { schedule, target, onOutcome } = this.#options;
    const event = scheduledAt === undefined ? UNSCHEDULED : schedule.event(scheduledAt);
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
    this.#stopTicking?.();
    this.#stopped.abort();
  }
}

function outcomeOf(invocation: Invocation): RefreshOutcome {
  const { ok, durationMs } = invocation;
  return invocation.ok
    ? { ok, durationMs, result: JSON.parse(invocation.payload) }
    : { ok, durationMs, error: invocation.error.errorMessage };
}
