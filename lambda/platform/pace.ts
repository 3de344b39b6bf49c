import type { Clock } from './clock.ts';

/** Lets each kind of event through once in so many milliseconds: a fault that meets every request fills no log. */
export class Pace {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #everyMs: number;
  readonly #at = new Map<string, number>();

  /** @param everyMs least time between two events of a kind that are let through */
  constructor(clock: Pick<Clock, 'now'>, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /**
   * Whether this one is let through. A clock that was set back lets it through, too.
   *
   * @param kind one of a few: each is remembered
   */
  isDue(kind: string): boolean {
    const now = this.#clock.now();
    const age = now - (this.#at.get(kind) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < this.#everyMs) return false;
    this.#at.set(kind, now);
    return true;
  }
}
