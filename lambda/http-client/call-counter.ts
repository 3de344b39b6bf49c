import type { CallObserver } from './client.ts';
import type { ResponseHeaders } from './fetch.ts';
import type { UpstreamError } from './upstream-error.ts';

/** Counts the calls of one upstream between two readings, and compares its clock with ours. */
export class CallCounter implements CallObserver {
  #calls = 0;
  #retries = 0;
  #failures = 0;
  #blockedCalls = 0;
  #skewMs: number | undefined;
  readonly #onFailure: (error: UpstreamError) => void;

  constructor(onFailure: (error: UpstreamError) => void) {
    this.#onFailure = onFailure;
  }

  called(): void {
    this.#calls += 1;
  }

  retried(): void {
    this.#retries += 1;
  }

  failed(error: UpstreamError): void {
    this.#failures += 1;
    if (error.blocked) this.#blockedCalls += 1;
    this.#onFailure(error);
  }

  /** A response is late by its way and its second, never early: the least difference is the nearest to the truth. */
  responded(headers: ResponseHeaders, at: number): void {
    const date = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(date) || headers.has('age')) return; // a cache's copy bears the time at which it was made
    this.#skewMs = Math.min(this.#skewMs ?? Number.POSITIVE_INFINITY, at - date);
  }

  /** How far our clock is ahead of the upstream's, since the last reading; undefined when no response told. */
  takeClockSkewMs(): number | undefined {
    const skew = this.#skewMs;
    this.#skewMs = undefined;
    return skew;
  }

  /** What was counted since the last reading. */
  take() {
    const counts = {
      UpstreamCalls: this.#calls,
      UpstreamRetries: this.#retries,
      UpstreamFailures: this.#failures,
      UpstreamBlocked: this.#blockedCalls,
    };
    this.#calls = 0;
    this.#retries = 0;
    this.#failures = 0;
    this.#blockedCalls = 0;
    return counts;
  }
}
