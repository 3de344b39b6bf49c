// Checks what callers of the service got while it ran in a simulated world.

import { iso, MAX_PRICE_AGE_MS, type Report } from './price-checks.ts';
import { MAX_SKEW_MS, MINUTE, type World } from './world.ts';

/** The functions that serve callers notice a new snapshot within this time. */
const POINTER_MS = 6_000;
/**
 * The age of prices while the schedule is punctual and CLOB works. A full run whose catalogue is
 * late or fails publishes prices after 30 s.
 */
const MAX_USUAL_AGE_MS = 105_000;
/** If the prices are older, callers get an error. */
const MAX_SERVED_AGE_MS = 150_000 - MAX_SKEW_MS;
/** The first list is published within this time after Gamma works. */
const FIRST_LIST_MS = 3 * MINUTE;

/** Checks that callers get a list, a fresh one, and never an older one than before. */
export class ServedChecks {
  readonly #world: World;
  #checked = 0;
  /** The newest prices that a caller has got. */
  #newestAsOf = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Checks what was served since the last call. */
  check(reportAt: (at: number) => Report): void {
    const { served, options } = this.#world;
    for (const { at, asOf } of served.slice(this.#checked)) {
      const report = reportAt(at);
      const mustServe = this.#mustServe(at);
      if (asOf === undefined) {
        if (mustServe) report('the list', 'data: at most Gamma or histories fail', 'none');
        continue;
      }
      const mustBeFresh = mustServe && !options.isUnpunctual;
      if (mustBeFresh && at - asOf > MAX_USUAL_AGE_MS)
        report('the list', `prices of the last ${MAX_USUAL_AGE_MS / 1_000} s`, `of ${iso(asOf)}`);
      if (asOf < this.#newestAsOf)
        report('the list', `asOf of ${iso(this.#newestAsOf)} or later`, iso(asOf));
      this.#newestAsOf = Math.max(this.#newestAsOf, asOf);
    }
    this.#checked = served.length;
  }

  /**
   * Whether callers must get a list. Without Gamma the service goes on for an hour, which is longer
   * than Gamma's faults here.
   */
  #mustServe(at: number): boolean {
    const { isSteady, start, options, published } = this.#world;
    const faults = this.#world.faultsIn(at - MAX_PRICE_AGE_MS, at);
    const hasFailed = faults.some(
      ({ route }) => route === 'prices' || route === 'last-trades-prices',
    );
    const newest = published.findLast(({ at: publishedAt }) => publishedAt < at - POINTER_MS);
    const isLate = at - (newest?.snapshot.asOf ?? 0) > MAX_SERVED_AGE_MS;
    const isExcused = (options.isUnpunctual && isLate) || this.#mayHaveNone(at);
    return !hasFailed && !isExcused && isSteady && at > start + 2 * MINUTE;
  }

  /** Whether no list was published yet because Gamma failed recently. */
  #mayHaveNone(at: number): boolean {
    const isFirst = this.#world.published.every(({ at: publishedAt }) => publishedAt > at);
    const faults = this.#world.faultsIn(at - FIRST_LIST_MS, at);
    return isFirst && faults.some(({ route }) => route === 'markets-keyset');
  }
}
