import type { Clock } from '../platform/clock.ts';

/** Failures in a row after which a route is taken for dead. */
const FAILURES_TO_OPEN = 5;
/** After this time one call is let through again to see. */
const COOL_DOWN_MS = 15_000;

/**
 * Stops calling a route that keeps failing, so that a dead route does not eat the time of a run. Open after
 * five failures in a row; after 15 s a single call may try again, and its success closes the circuit.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil = 0;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Whether a call may go out now. */
  allows(): boolean {
    if (this.failures < FAILURES_TO_OPEN) return true;
    if (this.clock.now() < this.openUntil) return false;
    this.openUntil = this.clock.now() + COOL_DOWN_MS; // this caller is the one that tries
    return true;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(): void {
    this.failures += 1;
    if (this.failures >= FAILURES_TO_OPEN) this.openUntil = this.clock.now() + COOL_DOWN_MS;
  }
}
