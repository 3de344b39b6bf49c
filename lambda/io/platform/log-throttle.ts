import type { Clock } from './clock.ts';

/** Allows each kind of event once per interval, so that an outage does not fill the log. */
export class LogThrottle {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #intervalMs: number;
  readonly #lastAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** @param kind one of a few names: the throttle never forgets a name */
  allow(kind: string): boolean {
    const now = this.#clock.now();
    const age = now - (this.#lastAt.get(kind) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < this.#intervalMs) return false;
    this.#lastAt.set(kind, now);
    return true;
  }
}
