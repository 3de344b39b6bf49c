const WINDOW_MS = 10_000;

/**
 * Keeps the calls of a route below a number in any 10 s. Whoever may wait is given the time of their turn, first come
 * first served; whoever may not is told how long it would be.
 */
export class CallRate {
  /** Begin of the newest calls, one slot for each that a window may hold; turns that are given out lie ahead. */
  readonly #times: number[];
  #count = 0;
  #seen = Number.NEGATIVE_INFINITY;

  /** @param calls most in 10 s */
  constructor(calls: number) {
    this.#times = new Array<number>(calls).fill(Number.NEGATIVE_INFINITY);
  }

  /**
   * How long until a call may begin, ms.
   *
   * @param share of all calls beyond which this one has to wait: what costs many calls leaves room for others
   */
  waitMs(now: number, share = 1): number {
    if (now < this.#seen) this.#forget(); // the clock was set back: the times noted mean nothing any more
    this.#seen = now;
    const calls = this.#times.length;
    const most = Math.max(1, Math.floor(calls * share));
    const limiting = this.#at(this.#count - most) + WINDOW_MS;
    return Math.max(0, limiting - now, this.#at(this.#count - 1) - now);
  }

  /** Takes a turn. @param at when the call begins: now or later, never before a turn given out earlier */
  take(at: number): void {
    this.#times[this.#count % this.#times.length] = at;
    this.#count += 1;
  }

  #forget(): void {
    this.#times.fill(Number.NEGATIVE_INFINITY);
    this.#count = 0;
  }

  #at(call: number): number {
    return call < 0
      ? Number.NEGATIVE_INFINITY
      : (this.#times[call % this.#times.length] ?? Number.NEGATIVE_INFINITY);
  }
}
