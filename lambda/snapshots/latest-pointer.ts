import { POINTER_DUE_LOOK_SECONDS, POINTER_LOOK_SECONDS } from '../contract/constants.ts';
import { ageSeconds, type FreshnessRule } from '../domain/freshness.ts';
import type { Clock } from '../platform/clock.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import type { Manifest } from './dynamodb-items.ts';
import type { SnapshotSource } from './snapshot-reader.ts';

/**
 * A look that began longer ago is not joined, ms: the container may have been frozen in the middle of it, since the
 * request that began it need not have waited for it. One attempt of the store has as long.
 */
const JOINABLE_MS = 1_500;

/**
 * The newest manifest, looked up at most every few seconds, more often when the next prices are due, and always before
 * data older than its freshness would get a response (design 2.4). One look at a time per container. A look that failed counts as one, so that a
 * store that is down is not waited for by every request as long as what is known is fresh.
 */
export class LatestPointer {
  readonly #source: SnapshotSource;
  readonly #clock: Clock;
  readonly #rule: FreshnessRule;
  #known: Manifest | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Looks that have begun, and which of them found what is known. */
  #begun = 0;
  #knownBy = 0;
  readonly #looks: SingleFlight<Manifest | undefined>;

  constructor(source: SnapshotSource, clock: Clock, rule: FreshnessRule) {
    this.#source = source;
    this.#clock = clock;
    this.#rule = rule;
    this.#looks = new SingleFlight({ clock, joinableMs: JOINABLE_MS });
  }

  /** What the last look has found. */
  get latest(): Manifest | undefined {
    return this.#known;
  }

  /** @throws whatever the store throws; what was known before stays known */
  async current(): Promise<Manifest | undefined> {
    if (!this.#isDue()) return this.#known;
    return await this.#looks.run('pointer', () => this.#look());
  }

  #isDue(): boolean {
    const now = this.#clock.now();
    const age = this.#known ? ageSeconds(this.#known.asOf, now) : Number.POSITIVE_INFINITY;
    if (age > this.#rule.freshSeconds) return true;
    const nextIsDue = age >= this.#rule.freshSeconds / 2 - POINTER_LOOK_SECONDS;
    return now - this.#lookedAt >= 1_000 * (nextIsDue ? POINTER_DUE_LOOK_SECONDS : POINTER_LOOK_SECONDS);
  }

  async #look(): Promise<Manifest | undefined> {
    this.#begun += 1;
    const look = this.#begun;
    try {
      const found = await this.#source.latest();
      // Of two looks that overlapped, the one that began later knows better, whichever ends first.
      if (found && look > this.#knownBy) {
        this.#known = found;
        this.#knownBy = look;
      }
    } finally {
      this.#lookedAt = this.#clock.now();
    }
    return this.#known;
  }
}
