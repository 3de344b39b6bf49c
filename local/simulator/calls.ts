/** The calls of a route: in total, and the largest number in any 10 seconds. */
export type RouteCalls = Readonly<Record<'calls' | 'maxIn10Seconds', number>>;

/** The window of upstream's limits. */
const WINDOW_MS = 10_000;

/**
 * Counts the calls of each route, in total and in any 10 seconds, for which upstream has limits.
 */
export class CallCounter {
  readonly #routes = new Map<string, RouteCalls & { readonly recent: readonly number[] }>();

  /** Counts a call. @returns the calls of the route in the last 10 seconds, with this one */
  count(route: string, nowMs: number): number {
    const before = this.#routes.get(route) ?? { calls: 0, maxIn10Seconds: 0, recent: [] };
    const recent = [...before.recent.filter((at) => at > nowMs - WINDOW_MS), nowMs];
    const maxIn10Seconds = Math.max(before.maxIn10Seconds, recent.length);
    this.#routes.set(route, { calls: before.calls + 1, maxIn10Seconds, recent });
    return recent.length;
  }

  clear(): void {
    this.#routes.clear();
  }

  byRoute(): Readonly<Record<string, RouteCalls>> {
    const rows = [...this.#routes].map(
      ([route, { recent: _, ...counts }]) => [route, counts] as const,
    );
    return Object.fromEntries(rows);
  }
}
