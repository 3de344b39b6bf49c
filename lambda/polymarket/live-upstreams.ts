import type { UpstreamName } from '../contract/upstreams.ts';
import type { LiveRead } from '../endpoints/ports.ts';
import type { CallCounter } from '../http-client/call-counter.ts';
import type { Upstream } from '../http-client/client.ts';
import { createUpstream } from '../http-client/create-upstream.ts';
import type { Fetch } from '../http-client/fetch.ts';
import { loggedCallCounter } from '../http-client/log-failures.ts';
import type { Clock } from '../platform/clock.ts';
import type { ServiceMetrics, Telemetry } from '../platform/telemetry.ts';
import { liveRead } from './live-call.ts';

export interface LiveUpstreamsOptions<N extends UpstreamName> extends Telemetry {
  readonly urls: Readonly<Record<N, string>>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
}

export interface LiveUpstreams<N extends UpstreamName> {
  readonly upstreams: Readonly<Record<N, Upstream>>;
  readonly live: LiveRead;
}

/**
 * What the handlers that ask an upstream while a caller waits have in common. No circuit breaker: a caller's own
 * request is the probe, and what fails for one token may go well for the next.
 */
export function liveUpstreams<N extends UpstreamName>(options: LiveUpstreamsOptions<N>): LiveUpstreams<N> {
  const { urls, logger, metrics, ...shared } = options;
  const names = Object.keys(urls) as N[];
  const counters = names.map((name) => [name, loggedCallCounter(name, logger)] as const);
  const upstreams = Object.fromEntries(
    counters.map(([name, observer]) => [
      name,
      createUpstream(name, { ...shared, baseUrl: urls[name], observer }),
    ]),
  ) as Record<N, Upstream>;
  const report = () => {
    for (const [name, counter] of counters) reportCalls(metrics, name, counter);
  };
  return { upstreams, live: liveRead(options.clock, report) };
}

/**
 * A metric costs money for each hour in which it is told: calls and failures make a rate together, the others are told
 * when they occur.
 */
function reportCalls(metrics: ServiceMetrics, name: UpstreamName, counter: CallCounter): void {
  const { UpstreamCalls, UpstreamFailures, ...rare } = counter.take();
  if (UpstreamCalls === 0 && UpstreamFailures === 0) return;
  const occurred = Object.fromEntries(Object.entries(rare).filter(([, count]) => count > 0));
  metrics.addUpstream(name, { UpstreamCalls, UpstreamFailures, ...occurred });
}
