import { UPSTREAMS, type UpstreamName } from '../contract/upstreams.ts';
import { Upstream, type UpstreamOptions } from './client.ts';

/** What the table of upstreams does not say. */
export type CreateUpstreamOptions = Omit<UpstreamOptions, 'timeoutMs' | 'concurrency' | 'callsPer10Seconds'>;

/** A client of one of the upstreams, with the time-out and the limits of its row. */
export function createUpstream(name: UpstreamName, options: CreateUpstreamOptions): Upstream {
  const { timeoutMs, concurrency, callsPer10Seconds } = UPSTREAMS[name];
  return new Upstream({ ...options, timeoutMs, concurrency, callsPer10Seconds });
}
