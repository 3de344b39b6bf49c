import type { ListQuirks } from './gamma/filters.ts';
import type { SimulatedResponse } from './http/response.ts';
import type { State } from './state.ts';

export const UPSTREAMS = ['gamma', 'clob', 'data'] as const;
export type Upstream = (typeof UPSTREAMS)[number];

export interface UpstreamRequest {
  readonly query: URLSearchParams;
  /** The named parts of the path. */
  readonly path: Readonly<Record<string, string>>;
  /** The parsed JSON body of a POST; undefined where it is not JSON. */
  readonly body: unknown;
  /** Ms. */
  readonly now: number;
  /** Age of the shared cache's copy; only lists have one. */
  readonly ageSeconds: number;
  /** How a fault wants lists to filter. */
  readonly lists: ListQuirks;
}

/** Requests of one bucket are counted together, per IP in 10 s. */
export interface Bucket {
  readonly name: string;
  readonly limit: number;
}

export interface Route {
  readonly name: string;
  readonly upstream: Upstream;
  readonly method: 'GET' | 'POST';
  /** With named parts: `/markets-by-token/{token}`. */
  readonly path: string;
  /** The documented limits that count a request; the general one of its host is added. */
  readonly buckets?: readonly Bucket[];
  /** What `latency: 'realistic'` adds, ms on average. */
  readonly latencyMs: number;
  readonly respond: (request: UpstreamRequest, state: State) => SimulatedResponse;
}
