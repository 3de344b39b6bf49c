import type { RateLimitResult } from './sliding-window.ts';

/** Whom a request is counted for. */
export interface ClientAddress {
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly address: string;
  /** The /48 of an IPv6 address: what a single customer may be given, with 65,536 networks of /64 in it. */
  readonly network?: string;
}

/** Limits the requests of each client. */
export interface RateLimiter {
  /** Requests of one address in any 60 s. */
  readonly limit: number;
  /** A refusal that this container remembers; needs no table. */
  cachedRefusal(client: ClientAddress): RateLimitResult | undefined;
  /** Counts a request. Undefined when the count cannot be had in time. Never rejects. */
  check(client: ClientAddress): Promise<RateLimitResult | undefined>;
}
