import { CLOB_TIMEOUT_MS } from '../contract/constants.ts';
import type { Fetch } from '../http-client/attempt.ts';
import { CallCounter } from '../http-client/call-counter.ts';
import { Upstream } from '../http-client/client.ts';
import type { Clock } from '../platform/clock.ts';
import type { Telemetry } from '../platform/telemetry.ts';
import { type LiveRead, liveRead } from './live-call.ts';

export interface LiveClobOptions extends Telemetry {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * What the handlers that ask CLOB while a caller waits have in common. No circuit breaker: a caller's own request
 * is the probe, and what fails for one token may go well for the next.
 */
export function liveClob(options: LiveClobOptions): { upstream: Upstream; live: LiveRead } {
  const { baseUrl, fetch, clock, random, logger, metrics } = options;
  const counter = new CallCounter(({ route, failure, status, excerpt, reason }) =>
    logger.warn('Upstream call failed', { upstream: 'clob', route, failure, status, excerpt, reason }),
  );
  const upstream = new Upstream({
    baseUrl,
    fetch,
    clock,
    random,
    timeoutMs: CLOB_TIMEOUT_MS,
    circuitBreaker: false,
    observer: counter,
  });
  const report = () => {
    const { UpstreamCalls, UpstreamFailures, ...rare } = counter.take();
    if (UpstreamCalls === 0) return;
    // A metric costs money for each hour in which it is told: calls and failures make a rate together, the others
    // are told when they occur.
    const occurred = Object.fromEntries(Object.entries(rare).filter(([, count]) => count > 0));
    metrics.addUpstream('clob', { UpstreamCalls, UpstreamFailures, ...occurred });
  };
  return { upstream, live: liveRead(clock, report) };
}
