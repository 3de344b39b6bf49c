import type { UpstreamName } from '../contract/upstreams.ts';
import type { LiveRead } from '../endpoints/ports.ts';
import type { Upstream } from '../http-client/client.ts';
import { createNodeFetch } from '../http-client/node-fetch.ts';
import { systemClock } from '../platform/clock.ts';
import type { Telemetry } from '../platform/telemetry.ts';
import { type LiveUpstreams, liveUpstreams } from './live-upstreams.ts';

/** The live upstreams of a handler, over Node's own HTTP and clock. */
export function createLiveUpstreams<N extends UpstreamName>(
  urls: Readonly<Record<N, string>>,
  telemetry: Telemetry,
): LiveUpstreams<N> {
  return liveUpstreams({
    urls,
    fetch: createNodeFetch(),
    clock: systemClock,
    random: Math.random,
    ...telemetry,
  });
}

/** The same for a handler that asks CLOB alone. */
export function createLiveClob(
  baseUrl: string,
  telemetry: Telemetry,
): { readonly upstream: Upstream; readonly live: LiveRead } {
  const { upstreams, live } = createLiveUpstreams({ clob: baseUrl }, telemetry);
  return { upstream: upstreams.clob, live };
}
