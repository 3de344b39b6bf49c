/** Counts the calls to the simulated Polymarket, for its rate limits and for tests. */

/** The calls of a route: in total, and the largest number in any 10 seconds. */
export interface RouteCalls {
  readonly calls: number;
  readonly maxIn10Seconds: number;
}

/** Polymarket limits the calls in any 10 seconds. */
const WINDOW_MS = 10_000;

/** Counts the calls of each route, in total and in any 10 seconds. */
export class CallCounter {
  readonly #routes = new Map<string, RouteCalls>();
  /** The times of the calls in the last 10 seconds, by route. */
  readonly #recent = new Map<string, readonly number[]>();

  /** Counts a call. @returns the calls of the route in the last 10 seconds, with this one */
  count(route: string, nowMs: number): number {
    const before = this.#routes.get(route) ?? { calls: 0, maxIn10Seconds: 0 };
    const earlier = this.#recent.get(route) ?? [];
    const recent = [...earlier.filter((at) => at > nowMs - WINDOW_MS), nowMs];
    const maxIn10Seconds = Math.max(before.maxIn10Seconds, recent.length);
    this.#recent.set(route, recent);
    this.#routes.set(route, { calls: before.calls + 1, maxIn10Seconds });
    return recent.length;
  }

  clear(): void {
    this.#routes.clear();
    this.#recent.clear();
  }

  byRoute(): Readonly<Record<string, RouteCalls>> {
    return Object.fromEntries(this.#routes);
  }
}
