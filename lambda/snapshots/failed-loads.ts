import type { Clock } from '../platform/clock.ts';

/** Pause after the first failed load of a snapshot, and the longest after many. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Snapshots whose failures are remembered: the newest, and some that paging links name. */
const REMEMBERED = 8;

interface Failure {
  readonly error: unknown;
  readonly times: number;
  readonly until: number;
}

/**
 * The snapshots that could not be loaded a moment ago. A broken one stays broken, and a table that throttles is not
 * helped by more reads: each is tried again after 1 s, 2 s, 4 s and so on up to 30 s, not with every request.
 */
export class FailedLoads {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byId = new Map<string, Failure>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** @returns why the last load failed, as long as it is too early for another */
  recall(id: string): { readonly error: unknown } | undefined {
    const failure = this.#byId.get(id);
    return failure && this.#clock.now() < failure.until ? failure : undefined;
  }

  note(id: string, error: unknown): void {
    const times = (this.#byId.get(id)?.times ?? 0) + 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1));
    this.#byId.delete(id);
    this.#byId.set(id, { error, times, until: this.#clock.now() + pauseMs });
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > REMEMBERED && oldest !== undefined) this.#byId.delete(oldest);
  }

  forget(id: string): void {
    this.#byId.delete(id);
  }
}
