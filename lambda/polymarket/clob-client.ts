import type { Upstream } from '../http-client/client.ts';
import type { LiveRead } from './live-call.ts';
import { type LiveUpstreamsOptions, liveUpstreams } from './live-upstreams.ts';

export interface LiveClobOptions extends Omit<LiveUpstreamsOptions<'clob'>, 'urls'> {
  readonly baseUrl: string;
}

/** The live upstreams of a handler that asks CLOB alone. */
export function liveClob({ baseUrl, ...options }: LiveClobOptions): { upstream: Upstream; live: LiveRead } {
  const { upstreams, live } = liveUpstreams({ ...options, urls: { clob: baseUrl } });
  return { upstream: upstreams.clob, live };
}
