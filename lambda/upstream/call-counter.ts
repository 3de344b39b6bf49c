import type { CallObserver } from './upstream.ts';
import type { UpstreamError } from './upstream-error.ts';

/** Counts the calls of one upstream between two readings. */
export class CallCounter implements CallObserver {
  private calls = 0;
  private retries = 0;
  private failures = 0;
  private blockedCalls = 0;
  private readonly onFailure: (error: UpstreamError) => void;

  constructor(onFailure: (error: UpstreamError) => void) {
    this.onFailure = onFailure;
  }

  called(): void {
    this.calls += 1;
  }

  retried(): void {
    this.retries += 1;
  }

  failed(error: UpstreamError): void {
    this.failures += 1;
    if (error.blocked) this.blockedCalls += 1;
    this.onFailure(error);
  }

  /** What was counted since the last reading. */
  take() {
    const counts = {
      UpstreamCalls: this.calls,
      UpstreamRetries: this.retries,
      UpstreamFailures: this.failures,
      UpstreamBlocked: this.blockedCalls,
    };
    this.calls = 0;
    this.retries = 0;
    this.failures = 0;
    this.blockedCalls = 0;
    return counts;
  }
}
